import { all } from './dom';

/** [data-nedtelling="9"] with data-tekst="… %n% …" and data-slutt: counts the seconds down, also in what the server has sent anew. */
export function countdowns(): void {
  if (!all('[data-nedtelling]').length) return;
  setInterval(() => {
    for (const e of all('[data-nedtelling]')) {
      const left = Number(e.dataset.nedtelling) - 1;
      e.dataset.nedtelling = String(left);
      e.textContent = left > 0 ? (e.dataset.tekst ?? '').replace('%n%', String(left)) : e.dataset.slutt ?? '';
    }
  }, 1000);
}
