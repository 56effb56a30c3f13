import { all, swap, whenReleased } from './dom';
import { Question } from './fragment';

const PAUSE_MS = 400;
const ID = 'sms-teller';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The outermost elements with an id: each replaces its counterpart in the page. */
const parts = (answer: Document): HTMLElement[] =>
  [...answer.body.querySelectorAll<HTMLElement>('[id]')].filter(e => !e.parentElement?.closest('[id]'));

/** Only the fields that are analysed, not a recipient's number. */
function counted(composer: HTMLElement): URLSearchParams {
  const names = (composer.dataset.smsFelt ?? '').split(' '), body = new URLSearchParams();
  for (const field of composer.querySelectorAll<Field>('input[name], textarea[name]')) {
    if (names.includes(field.name) && (field.type !== 'radio' || (field as HTMLInputElement).checked)) body.append(field.name, field.value);
  }
  return body;
}

function watch(composer: HTMLElement): void {
  const text = composer.querySelector<HTMLTextAreaElement>('textarea');
  const question = new Question();
  let timer = 0;
  let answered = counted(composer).toString(); // what the analysis shown is about

  /** Updates the preview at once if the text is sent as typed. */
  const show = (): void => {
    const preview = composer.querySelector<HTMLElement>('[data-sms-visning]');
    if (preview && text && !text.value.includes('((')) preview.textContent = text.value || (preview.dataset.tom ?? '');
  };
  const count = (): void => {
    const asked = counted(composer);
    question.post(composer.dataset.sms ?? '', ID, asked).then(
      answer => whenReleased(() => { parts(answer).forEach(swap); answered = asked.toString(); }),
      () => { /* Older than the next one, or the network is away: the server counts again when it is saved. */ });
  };
  const changed = (): void => {
    show();
    question.cancel(); // Its answer would be outdated.
    clearTimeout(timer);
    timer = window.setTimeout(count, PAUSE_MS);
  };

  /** Puts in the server's replacement; if the text has changed meanwhile, the button submits the form instead. */
  const replace = (e: Event): void => {
    const button = (e.target as Element).closest<HTMLButtonElement>('button[data-sms-bytt]');
    const field = composer.querySelector<HTMLTextAreaElement>(`textarea[name="${button?.value ?? ''}"]`) ?? text;
    if (!button || !field || answered !== counted(composer).toString()) return;
    e.preventDefault();
    field.value = button.dataset.smsBytt ?? '';
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };

  const names = (composer.dataset.smsFelt ?? '').split(' ');
  composer.addEventListener('input', e => { if (names.includes((e.target as Field).name)) changed(); });
  composer.addEventListener('click', replace);
  // A running analysis could find its row or draft gone after the submit.
  (composer.closest('form') ?? composer).addEventListener('submit', () => { clearTimeout(timer); question.cancel(); });
  addEventListener('pageshow', () => { if (text && text.value !== text.defaultValue) changed(); });
}

/** [data-sms="url"] holds an SMS text, or the fields of a row: after a pause in typing (debounce), the server analyses the fields in data-sms-felt. */
export function composers(): void {
  all('[data-sms]').forEach(watch);
}
