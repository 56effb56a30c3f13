import { announce } from './dom';
import { fragment } from './fragment';

const ID = 'mal-valg';

type Button = HTMLButtonElement;

/** The values that this button would submit. */
function posted(form: HTMLFormElement, button: Button): URLSearchParams {
  const values = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => { if (typeof value === 'string') values.append(name, value); });
  return values;
}

/** Replaces the choice with the answer, and puts its text into the message with an input event. */
function take(old: HTMLElement, fresh: HTMLElement, text: HTMLTextAreaElement): void {
  const part = document.importNode(fresh, true);
  old.replaceWith(part);
  if (part.dataset.malTekst !== undefined) {
    text.value = part.dataset.malTekst;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const nynorsk = text.form?.querySelector<HTMLTextAreaElement>('textarea[name=nynorsk]');
  if (nynorsk && part.dataset.malNynorsk !== undefined) {
    nynorsk.value = part.dataset.malNynorsk;
    nynorsk.dispatchEvent(new Event('input', { bubbles: true }));
  }
  (part.querySelector<HTMLElement>('[aria-invalid], [data-fokus]') ?? text).focus();
  announce(part.dataset.kunngjor ?? '');
}

async function ask(form: HTMLFormElement, button: Button, text: HTMLTextAreaElement): Promise<void> {
  const before = text.value;
  const answer = await fragment(form.action, ID, { method: 'POST', body: posted(form, button) });
  if (text.value !== before) return ask(form, button, text); // Typed meanwhile: the server must see that too.
  const old = document.getElementById(ID), fresh = answer.getElementById(ID);
  if (old && fresh) take(old, fresh, text);
}

/** [data-mal]: fills in a template's text without leaving the page. If that fails, the form is submitted. */
export function templates(): void {
  let busy = false;
  document.addEventListener('click', e => {
    const button = e.target instanceof Element ? e.target.closest<Button>('[data-mal] button[name]') : null;
    const text = button?.form?.querySelector<HTMLTextAreaElement>('textarea[name=tekst]');
    if (!button?.form || !text) return;
    e.preventDefault();
    if (busy) return;
    busy = true;
    const form = button.form;
    ask(form, button, text).catch(() => form.requestSubmit(button)).finally(() => { busy = false; });
  });
}
