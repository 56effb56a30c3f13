/** Helpers that several modules share. No text for people here: it comes from attributes that the server wrote. */

export const all = <T extends HTMLElement>(selector: string): T[] => [...document.querySelectorAll<T>(selector)];

/** Puts values in the places that the server left for them in a text: "%navn% er lastet opp." */
export const fill = (text: string | undefined, values: Record<string, string | number>): string =>
  (text ?? '').replace(/%(\w+)%/g, (place, name: string) => String(values[name] ?? place));

let pressed = false;
addEventListener('pointerdown', () => { pressed = true; }, true);
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => { pressed = false; }, true);

/** Does it now, or when the pointer has been let go and its click is done: what moves under a pressed button loses the click. */
export function whenReleased(change: () => void): void {
  if (pressed) addEventListener('pointerup', () => { setTimeout(change); }, { once: true });
  else change();
}

const waiting: string[] = [];

/** Reads out text through the page's one live region. Emptied first, so that equal texts are read again. */
export function announce(text: string): void {
  const region = document.getElementById('kunngjoring');
  if (!region || !text) return;
  region.textContent = '';
  if (waiting.push(text) > 1) return;
  setTimeout(() => { region.textContent = waiting.splice(0).join(' '); }, 60);
}

const news = (part: HTMLElement): string =>
  (part.matches('[data-kunngjor]') ? part : part.querySelector<HTMLElement>('[data-kunngjor]'))?.dataset.kunngjor ?? '';

/** Whether the user is inside this element now; then it must not be replaced. */
export const holdsFocus = (part: Element): boolean => part.contains(document.activeElement);

/** What the user has ticked stays ticked where it is still there. */
function keepTicks(old: HTMLElement, fresh: HTMLElement): void {
  const boxes = (part: HTMLElement): HTMLInputElement[] => [...part.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  for (const box of boxes(old).filter(b => b.checked !== b.defaultChecked)) {
    for (const same of boxes(fresh)) if (same.name === box.name && same.value === box.value) same.checked = box.checked;
  }
}

/** Puts an element of an answer in the place of the one with the same id, and announces its data-kunngjor when that is new. */
export function swap(fresh: HTMLElement): void {
  const old = document.getElementById(fresh.id);
  if (!old || holdsFocus(old)) return;
  const before = news(old), now = news(fresh);
  const node = document.importNode(fresh, true);
  keepTicks(old, node);
  old.replaceWith(node);
  if (now !== before) announce(now);
}
