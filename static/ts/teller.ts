import { all, swap, whenReleased } from './dom';
import { Question } from './fragment';

const PAUSE_MS = 400;

/** textarea[data-teller-url]: the server counts after a pause in typing; its answer goes to the element "<id>-teller". */
export function counters(): void {
  for (const text of all<HTMLTextAreaElement>('textarea[data-teller-url]')) {
    const question = new Question(), id = `${text.id}-teller`;
    let timer = 0;
    const count = (): void => {
      question.ask(text.dataset.tellerUrl ?? '', id, text.name, text.value).then(
        answer => whenReleased(() => { const fresh = answer.getElementById(id); if (fresh) swap(fresh); }),
        () => { /* Older than the next one, or the network is away: it is counted again when it is saved. */ });
    };
    text.addEventListener('input', () => {
      question.cancel(); // What it would answer is no longer true.
      clearTimeout(timer);
      timer = window.setTimeout(count, PAUSE_MS);
    });
  }
}
