import { all, swap } from './dom';
import { Question } from './fragment';

const ID = 'stand', CHECK_MS = 2000; // A file that is still checked then may wait for others: its place is told.

/** What the form would post, but for files: those have gone up by themselves. */
function typed(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => { if (typeof value === 'string') body.append(name, value); });
  return body;
}

/** form[data-stand="url"]: when something in it is changed, or a file has come up and is checked, the server is asked how far it has come, for #stand. Nothing is kept by that. */
export function standing(): void {
  for (const form of all<HTMLFormElement>('form[data-stand]')) {
    const question = new Question();
    const ask = (): void => {
      question.post(form.dataset.stand ?? '', ID, typed(form)).then(
        answer => { const fresh = answer.getElementById(ID); if (fresh) swap(fresh); },
        () => { /* Older than the next one, or the network is away: the check tells it all. */ });
    };
    form.addEventListener('change', ask);
    form.addEventListener('kontrolleres', () => { setTimeout(ask, CHECK_MS); });
  }
}
