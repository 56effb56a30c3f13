import { swap, whenReleased } from './dom';
import { Question } from './fragment';

const PAUSE_MS = 400;
const ID = 'sms-teller';

/** The outermost elements with an id: each has its place in the page. */
const parts = (answer: Document): HTMLElement[] =>
  [...answer.body.querySelectorAll<HTMLElement>('[id]')].filter(e => !e.parentElement?.closest('[id]'));

function watch(form: HTMLFormElement, text: HTMLTextAreaElement, url: string): void {
  const question = new Question();
  let timer = 0;
  let counted = text.value; // what the page's answers are about

  const show = (): void => {
    const preview = document.querySelector<HTMLElement>('[data-sms-visning]');
    if (preview) preview.textContent = text.value || (preview.dataset.tom ?? '');
  };
  const count = (): void => {
    const asked = text.value;
    question.ask(url, ID, text.name, asked).then(
      answer => whenReleased(() => { parts(answer).forEach(swap); counted = asked; }),
      () => { /* Older than the next one, or the network is away: the review page counts again. */ });
  };
  const changed = (): void => {
    show();
    question.cancel(); // What it would answer is no longer true.
    clearTimeout(timer);
    timer = window.setTimeout(count, PAUSE_MS);
  };

  /** Puts in what the server said; when the text is another by now, the button posts the form and the server does it. */
  const replace = (e: Event): void => {
    const plain = (e.target as Element).closest<HTMLElement>('[data-sms-bytt]')?.dataset.smsBytt;
    if (plain === undefined || counted !== text.value) return;
    e.preventDefault();
    text.value = plain;
    text.focus();
    text.dispatchEvent(new Event('input', { bubbles: true }));
  };

  text.addEventListener('input', changed);
  form.addEventListener('click', replace);
  addEventListener('pageshow', () => { if (text.value !== text.defaultValue) changed(); });
}

/** form[data-sms][data-teller-url]: the server counts after a pause in typing, the preview follows at once. */
export function smsForm(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-sms][data-teller-url]');
  const text = form?.querySelector<HTMLTextAreaElement>('textarea[name=tekst]');
  if (form?.dataset.tellerUrl && text) watch(form, text, form.dataset.tellerUrl);
}
