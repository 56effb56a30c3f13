/** Shared helpers. They contain no text for users: that comes from attributes rendered by the server. */

export const all = <T extends HTMLElement>(selector: string): T[] => [...document.querySelectorAll<T>(selector)];

/** Replaces placeholders in a text: "%navn% er lastet opp." */
export const fill = (text: string | undefined, values: Record<string, string | number>): string =>
  (text ?? '').replace(/%(\w+)%/g, (place, name: string) => String(values[name] ?? place));

let pressed = false;
addEventListener('pointerdown', () => { pressed = true; }, true);
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => { pressed = false; }, true);

/**
 * Runs change now, or after the pointer is released and its click handled: an element that moves under a pressed button loses the click.
 * Where the change moves the buttons of a panel, it waits until the mouse has left them, too: else the next click may hit another button.
 */
export function whenReleased(change: () => void, panel?: Element | null): void {
  const aimedAt = panel?.querySelector('button:hover');
  if (pressed) addEventListener('pointerup', () => { setTimeout(change); }, { once: true });
  else if (aimedAt) aimedAt.addEventListener('pointerleave', () => { setTimeout(() => { whenReleased(change, panel); }); }, { once: true });
  else change();
}

const waiting: string[] = [];

/** Announces text through the page's live region, which is emptied first, so that equal texts are announced again. */
export function announce(text: string): void {
  const region = document.getElementById('kunngjoring');
  if (!region || !text) return;
  region.textContent = '';
  if (waiting.push(text) > 1) return;
  setTimeout(() => { region.textContent = waiting.splice(0).join(' '); }, 60);
}

const news = (part: HTMLElement): string =>
  (part.matches('[data-kunngjor]') ? part : part.querySelector<HTMLElement>('[data-kunngjor]'))?.dataset.kunngjor ?? '';

/** Whether the focus is inside this element; then it must not be replaced. */
export const holdsFocus = (part: Element): boolean => part.contains(document.activeElement);

/** Keeps ticks of check boxes that are still there. */
function keepTicks(old: HTMLElement, fresh: HTMLElement): void {
  const boxes = (part: HTMLElement): HTMLInputElement[] => [...part.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  for (const box of boxes(old).filter(b => b.checked !== b.defaultChecked)) {
    for (const same of boxes(fresh)) if (same.name === box.name && same.value === box.value) same.checked = box.checked;
  }
}

/** Keeps open what somebody has unfolded; of details with an id. */
function keepOpen(old: HTMLElement, fresh: HTMLElement): void {
  for (const fold of old.querySelectorAll<HTMLDetailsElement>('details[id]')) {
    const same = fresh.querySelector<HTMLDetailsElement>(`details[id="${CSS.escape(fold.id)}"]`);
    if (same) same.open = fold.open;
  }
}

/** Replaces the element with the same id, and announces its data-kunngjor if that is new. */
export function swap(fresh: HTMLElement): void {
  const old = document.getElementById(fresh.id);
  if (!old || holdsFocus(old)) return;
  const before = news(old), now = news(fresh);
  const node = document.importNode(fresh, true);
  keepTicks(old, node);
  keepOpen(old, node);
  old.replaceWith(node);
  if (now !== before) announce(now);
}
