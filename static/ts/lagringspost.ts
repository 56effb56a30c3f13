import { swap, whenReleased } from './dom';
import { fragment } from './fragment';

const KEPT_ALIVE = 60_000; // Bytes that a browser still sends for a page that is gone.

/** What the form would post, but for files: those have gone up by themselves. */
function typed(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => { if (typeof value === 'string') body.append(name, value); });
  return body;
}

/** The next request needs the version, also where the part is not put in the page because the focus is in it. */
function take(form: HTMLFormElement, { dataset: { versjon = '', adresse = '' } }: HTMLElement): void {
  const field = form.elements.namedItem(form.dataset.lagreVersjon ?? '');
  if (field instanceof HTMLInputElement) field.value = versjon;
  if (adresse && form.action === location.origin + location.pathname) history.replaceState(history.state, '', adresse);
}

/** Saves a form[data-lagre] as it is typed: puts the answer's part in the page, and the new version in the form. */
export async function saveForm(form: HTMLFormElement): Promise<void> {
  const { lagre = '', lagreDel = '' } = form.dataset, body = typed(form);
  const answer = await fragment(lagre, lagreDel, { method: 'POST', body, keepalive: body.toString().length < KEPT_ALIVE });
  const part = answer.getElementById(lagreDel), saved = answer.getElementById('lagret');
  if (!part || !saved) return;
  take(form, saved);
  whenReleased(() => { swap(part); });
}
