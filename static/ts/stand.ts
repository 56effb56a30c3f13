import { all, swap } from './dom';
import { Question } from './fragment';

const ID = 'stand';

/** What the form would post, but for files: those have gone up by themselves. */
function typed(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => { if (typeof value === 'string') body.append(name, value); });
  return body;
}

/** form[data-stand="url"]: when something in it is changed, the server is asked how far it has come, for #stand. Nothing is kept by that. */
export function standing(): void {
  for (const form of all<HTMLFormElement>('form[data-stand]')) {
    const question = new Question();
    form.addEventListener('change', () => {
      question.post(form.dataset.stand ?? '', ID, typed(form)).then(
        answer => { const fresh = answer.getElementById(ID); if (fresh) swap(fresh); },
        () => { /* Older than the next one, or the network is away: the check tells it all. */ });
    });
  }
}
