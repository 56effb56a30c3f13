import { all, swap, whenReleased } from './dom';
import { Question } from './fragment';

const ERROR = 'feil';

function watch(input: HTMLInputElement, url: string): void {
  const id = `${input.id}-s`;
  const question = new Question();
  let asked = '';

  const mark = (line: HTMLElement): void => {
    if (line.dataset.niva === ERROR) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  const clear = (): void => {
    question.cancel();
    const line = document.getElementById(id);
    if (line?.dataset.niva === ERROR) input.removeAttribute('aria-invalid');
    if (line) line.hidden = true;
  };
  const answered = (answer: Document): void => {
    const line = answer.getElementById(id);
    if (!line) return;
    swap(line);
    mark(line);
  };

  input.addEventListener('blur', () => {
    const value = input.value.trim();
    if (value === asked) return;
    asked = value;
    if (!value) return whenReleased(clear);
    question.ask(url, id, input.name, value).then(a => whenReleased(() => answered(a)), () => { asked = ''; }); // The server checks again on submit.
  });
}

/** input[data-sjekk-url]: asks the server about the value on blur; the answer replaces the line "<id>-s". */
export function fieldChecks(): void {
  for (const input of all<HTMLInputElement>('input[data-sjekk-url]')) {
    if (input.id && input.dataset.sjekkUrl) watch(input, input.dataset.sjekkUrl);
  }
}
