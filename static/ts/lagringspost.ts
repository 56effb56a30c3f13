import { announce, swap, whenReleased } from './dom';
import { fragment } from './fragment';
import { settleAllBut } from './sjekk';

const KEPT_ALIVE = 60_000; // Bytes that browsers still send (keepalive) after the page is gone.

/** Counts the saves of this page: the server knows the page's own saves by it, also where an answer was lost. False: the form has no such field. */
export function count(form: HTMLFormElement): boolean {
  const field = form.elements.namedItem('side-lagring');
  if (!(field instanceof HTMLInputElement)) return false;
  field.value = String(Number(field.value) + 1);
  return true;
}

/** Says where the form stands that saving failed. */
export function tell(text: string): void {
  const line = document.getElementById('lagret');
  if (!line || line.textContent === text) return;
  line.textContent = text;
  announce(text);
}

/** The form's values except files, which are uploaded separately. */
function typed(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => { if (typeof value === 'string') body.append(name, value); });
  return body;
}

/** Takes the new version from an answer, even if the fragment is not replaced because it has the focus. */
function take(form: HTMLFormElement, { dataset: { versjon = '', adresse = '' } }: HTMLElement): void {
  const field = form.elements.namedItem(form.dataset.lagreVersjon ?? '');
  if (field instanceof HTMLInputElement) field.value = versjon;
  if (adresse && form.action === location.origin + location.pathname) history.replaceState(history.state, '', adresse);
}

/** Saves a form[data-lagre]: replaces the fragment in the answer, and updates the form's version. */
export async function saveForm(form: HTMLFormElement): Promise<void> {
  count(form);
  const { lagre = '', lagreDel = '' } = form.dataset, body = typed(form);
  const answer = await fragment(lagre, lagreDel, { method: 'POST', body, keepalive: body.toString().length < KEPT_ALIVE });
  const part = answer.getElementById(lagreDel), saved = answer.getElementById('lagret');
  if (!part || !saved) return;
  take(form, saved);
  whenReleased(() => {
    swap(part);
    if (part.dataset.feil !== undefined) settleAllBut(part.dataset.feil.split(' '));
  }, document.getElementById(lagreDel)?.closest('.panel'));
}
