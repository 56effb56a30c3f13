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

/** Hides the server's message at a field; after the last one also the summary of problems. */
function forget(field: string): void {
  const line = document.getElementById(`${field}-s`);
  if (line?.dataset.niva !== ERROR) return;
  line.hidden = true;
  document.getElementById(field)?.removeAttribute('aria-invalid');
  const summary = document.querySelector<HTMLElement>('.ds-error-summary');
  if (summary && !document.querySelector(`[data-niva=${ERROR}]:not([hidden])`)) summary.hidden = true;
}

/** A message is about the value that was sent: once the value has changed, it is not known to be wrong. */
function changed({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)) return;
  if (!target.value.trim()) return;
  const fields = target.type === 'file' ? [target.name, 'dokumenter'] : [target.id, target.name];
  whenReleased(() => { fields.filter(Boolean).forEach(forget); });
}

/** input[data-sjekk-url]: asks the server about the value on blur; the answer replaces the line "<id>-s". */
export function fieldChecks(): void {
  document.addEventListener('change', changed);
  for (const input of all<HTMLInputElement>('input[data-sjekk-url]')) {
    if (input.id && input.dataset.sjekkUrl) watch(input, input.dataset.sjekkUrl);
  }
}
