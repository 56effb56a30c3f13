import { swap, whenReleased } from './dom';
import { Question } from './fragment';

const PAUSE_MS = 400;
const ID = 'sms-teller';

/** The outermost elements with an id: each has its place in the page. */
const parts = (answer: Document): HTMLElement[] =>
  [...answer.body.querySelectorAll<HTMLElement>('[id]')].filter(e => !e.parentElement?.closest('[id]'));

function watch(text: HTMLTextAreaElement, url: string): void {
  const preview = document.querySelector<HTMLElement>('[data-sms-visning]');
  const question = new Question();
  let timer = 0;

  const show = (): void => { if (preview) preview.textContent = text.value || (preview.dataset.tom ?? ''); };
  const count = (): void => {
    question.ask(url, ID, text.name, text.value).then(
      answer => whenReleased(() => parts(answer).forEach(swap)),
      () => { /* Older than the next one, or the network is away: the review page counts again. */ });
  };
  const changed = (): void => {
    show();
    question.cancel(); // What it would answer is no longer true.
    clearTimeout(timer);
    timer = window.setTimeout(count, PAUSE_MS);
  };

  text.addEventListener('input', changed);
  addEventListener('pageshow', () => { if (text.value !== text.defaultValue) changed(); });
}

/** form[data-sms][data-teller-url]: the server counts after a pause in typing, the preview follows at once. */
export function smsForm(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-sms][data-teller-url]');
  const text = form?.querySelector<HTMLTextAreaElement>('textarea[name=tekst]');
  if (form?.dataset.tellerUrl && text) watch(text, form.dataset.tellerUrl);
}
