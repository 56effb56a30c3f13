import { all, announce, swap } from './dom';
import { fragment } from './fragment';

const RESULT = 'prove-resultat';

/** Removes the result of the last trial: it no longer applies, and an equal result must be announced again. */
function forget(): void {
  const old = document.getElementById(RESULT);
  old?.replaceChildren();
  old?.removeAttribute('data-kunngjor');
}

function watch(form: HTMLFormElement): void {
  let running = false;

  const attempt = async (button: HTMLButtonElement): Promise<void> => {
    const values = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
    running = true;
    button.setAttribute('aria-busy', 'true');
    forget();
    try {
      const answer = await fragment(form.action, RESULT, { method: 'POST', body: new URLSearchParams(values) });
      const fresh = answer.getElementById(RESULT);
      if (fresh) swap(fresh);
    } catch {
      announce(show(form.dataset.provFeil ?? ''));
    }
    button.removeAttribute('aria-busy');
    running = false;
  };

  form.addEventListener('submit', e => {
    if (!(e.submitter instanceof HTMLButtonElement) || e.submitter.value !== 'prov') return;
    e.preventDefault();
    if (!running) void attempt(e.submitter);
  });
}

/** Shows a text rendered by the server in place of the result. */
function show(text: string): string {
  const line = document.createElement('p');
  line.textContent = text;
  document.getElementById(RESULT)?.replaceChildren(line);
  return text;
}

/** form[data-prov]: its button with the value prov runs a trial without leaving the page, so that typed secrets stay. */
export function trials(): void {
  all<HTMLFormElement>('form[data-prov]').forEach(watch);
}
