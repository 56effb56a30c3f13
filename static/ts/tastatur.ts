import { all } from './dom';

const typed = 'input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]';

/** The main links of the rows of the page's lists. */
const links = (): HTMLElement[] => all<HTMLElement>('main tbody .main-link');

/** Moves the focus by so many rows. */
function move(by: number): void {
  const rows = links();
  const here = rows.findIndex(link => link.closest('tr')?.contains(document.activeElement));
  const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

const tick = (): void => document.activeElement?.closest('tbody tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();

/** [data-taster] lists the keys; without it the user has turned them off. Keys do nothing while the user types, or with Ctrl, Alt or Meta. */
export function keys(): void {
  const list = document.querySelector<HTMLElement>('[data-taster]');
  if (!list) return;
  const acts: Record<string, () => void> = {
    '/': () => document.querySelector<HTMLElement>('[data-sok]')?.focus(),
    '?': () => list.togglePopover(),
    j: () => move(1),
    k: () => move(-1),
    x: tick,
  };
  addEventListener('keydown', event => {
    const act = acts[event.key], at = event.target;
    if (!act || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || (at instanceof Element && at.matches(typed))) return;
    event.preventDefault();
    act();
  });
}
