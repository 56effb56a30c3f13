import { announce } from './dom';

const SHOWN_MS = 2000;

async function copy(button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset.kopier ?? '');
  } catch {
    return; // The browser refused: the value can still be selected by hand.
  }
  announce(button.dataset.kopiert ?? '');
  button.dataset.ferdig = '';
  setTimeout(() => { delete button.dataset.ferdig; }, SHOWN_MS);
}

/** button[data-kopier="value"] copies the value, announces data-kopiert, and sets data-ferdig for a while. */
export function copyButtons(): void {
  document.addEventListener('click', e => {
    const button = e.target instanceof Element && e.target.closest<HTMLButtonElement>('button[data-kopier]');
    if (button) void copy(button);
  });
}
