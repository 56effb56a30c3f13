import { announce } from './dom';

const SHOWN_MS = 2000;

async function copy(button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset.kopier ?? '');
  } catch {
    return; // Refused by the browser: the value stands on the page and can be marked.
  }
  announce(button.dataset.kopiert ?? '');
  button.dataset.ferdig = '';
  setTimeout(() => { delete button.dataset.ferdig; }, SHOWN_MS);
}

/** button[data-kopier="value"] copies; data-kopiert is announced, and shown by the style sheet while data-ferdig is set. */
export function copyButtons(): void {
  document.addEventListener('click', e => {
    const button = e.target instanceof Element && e.target.closest<HTMLButtonElement>('button[data-kopier]');
    if (button) void copy(button);
  });
}
