import { all, swap, whenReleased } from './dom';
import { Question } from './fragment';

const PAUSE_MS = 400;
const ID = 'sms-teller';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The outermost elements with an id: each has its place in the page. */
const parts = (answer: Document): HTMLElement[] =>
  [...answer.body.querySelectorAll<HTMLElement>('[id]')].filter(e => !e.parentElement?.closest('[id]'));

/** What is counted, and nothing else of the form: no number of a recipient. */
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
  let answered = counted(composer).toString(); // what the page's answers are about

  /** The preview follows at once where the text is sent as it is typed. */
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
    question.cancel(); // What it would answer is no longer true.
    clearTimeout(timer);
    timer = window.setTimeout(count, PAUSE_MS);
  };

  /** Puts in what the server said; when the text is another by now, the button posts the form and the server does it. */
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
  // What is saved may be gone where it is counted: a row that is right now, a draft that is sent.
  (composer.closest('form') ?? composer).addEventListener('submit', () => { clearTimeout(timer); question.cancel(); });
  addEventListener('pageshow', () => { if (text && text.value !== text.defaultValue) changed(); });
}

/** [data-sms="url"] holds a text of SMS, or the fields of a row: the server counts what data-sms-felt names after a pause in typing. */
export function composers(): void {
  all('[data-sms]').forEach(watch);
}
