import { all } from './dom';

/** [data-nedtelling="9"] with data-tekst="… %n% …" and data-slutt: shows the seconds left, by the clock, since a refresh may replace it meanwhile. */
export function countdowns(): void {
  if (!all('[data-live]').length) return;
  const ends = new WeakMap<HTMLElement, number>();
  setInterval(() => {
    for (const e of all('[data-nedtelling]')) {
      const end = ends.get(e) ?? Date.now() + (Number(e.dataset.nedtelling) - 1) * 1000;
      ends.set(e, end);
      const left = Math.ceil((end - Date.now()) / 1000);
      e.textContent = left > 0 ? (e.dataset.tekst ?? '').replace('%n%', String(left)) : e.dataset.slutt ?? '';
    }
  }, 1000);
}
