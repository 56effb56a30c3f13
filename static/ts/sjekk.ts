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

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (e: unknown): e is Field => e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement || e instanceof HTMLSelectElement;

/** Hides the server's message at a field, or shows it again, and marks its lines in the summary of problems, which goes with its last line. */
function settle(field: string, changed: boolean): void {
  const line = document.getElementById(`${field}-s`), input = document.getElementById(field);
  if (line?.dataset.niva) line.hidden = changed; // a problem or a warning
  if (line?.dataset.niva === ERROR) {
    if (changed) input?.removeAttribute('aria-invalid');
    else if (isField(input)) input.setAttribute('aria-invalid', 'true');
  }
  const summary = document.querySelector<HTMLElement>('.ds-error-summary');
  if (!summary) return;
  for (const link of summary.querySelectorAll(`a[href="#${CSS.escape(field)}"]`)) link.closest('li')?.toggleAttribute('data-endret', changed);
  summary.hidden = !summary.querySelector('li:not([data-endret])');
}

/** Settles all messages but those at these fields: the server has found nothing else in what was saved. */
export function settleAllBut(wrong: string[]): void {
  const lines = all(`[data-niva=${ERROR}]:not([hidden])`).map(e => e.id.replace(/-s$/, ''));
  const links = all<HTMLAnchorElement>('.ds-error-summary a').map(a => a.hash.slice(1));
  for (const field of new Set([...lines, ...links])) if (!wrong.includes(field)) settle(field, true);
}

/** Whether a field holds something else than what was sent. */
function differs(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return [...field.options].some(o => o.selected !== o.defaultSelected);
  if (field.type === 'checkbox' || field.type === 'radio') return true; // what it decides about may be another field
  return field.value !== field.defaultValue;
}

/** A message is about the value that was sent: once the value is another, it is not known to be wrong. */
function changed({ target }: Event): void {
  if (target instanceof HTMLElement && target.id === 'dokumentliste') return whenReleased(() => { settle('fil', true); settle('dokumenter', true); });
  if (!isField(target) || target.closest('[data-opplasting]')) return;
  const names = new Set([target.id, target.name, ...(target.dataset.gjelder ?? '').split(' ')].filter(Boolean));
  whenReleased(() => { names.forEach(n => settle(n, differs(target))); });
}

/** input[data-sjekk-url]: asks the server about the value on blur; the answer replaces the line "<id>-s". */
export function fieldChecks(): void {
  document.addEventListener('change', changed);
  document.addEventListener('input', changed);
  for (const input of all<HTMLInputElement>('input[data-sjekk-url]')) {
    if (input.id && input.dataset.sjekkUrl) watch(input, input.dataset.sjekkUrl);
  }
}
