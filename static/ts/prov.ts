import { all, announce, swap } from './dom';
import { fragment } from './fragment';

const RESULT = 'prove-resultat';

/** What the last trial said is no longer so; and an equal answer is to be read out again. */
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

/** The words are the server's; they stand where the result would. */
function show(text: string): string {
  const line = document.createElement('p');
  line.textContent = text;
  document.getElementById(RESULT)?.replaceChildren(line);
  return text;
}

/** form[data-prov]: its button with the value prov asks without leaving the page, so that typed secrets stay. */
export function trials(): void {
  all<HTMLFormElement>('form[data-prov]').forEach(watch);
}
