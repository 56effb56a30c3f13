import { announce } from './dom';
import { fragment } from './fragment';

const ID = 'mal-valg';

type Button = HTMLButtonElement;

/** What the form would post with this button. */
function posted(form: HTMLFormElement, button: Button): URLSearchParams {
  const values = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => { if (typeof value === 'string') values.append(name, value); });
  return values;
}

/** Puts the answer in place of the choice, and its text into the message as if it had been typed. */
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
  if (text.value !== before) return ask(form, button, text); // Typed meanwhile: the server has to see that too.
  const old = document.getElementById(ID), fresh = answer.getElementById(ID);
  if (old && fresh) take(old, fresh, text);
}

/** [data-mal]: a template's text comes into the form without the page being left. Where that fails, the form is posted. */
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
