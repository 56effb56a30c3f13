import { all, announce, fill } from './dom';

const boxes = (form: HTMLElement): HTMLInputElement[] => [...form.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]')];

class Selection {
  private last: HTMLInputElement | undefined;
  private said = '';

  constructor(private readonly form: HTMLFormElement) {
    form.addEventListener('click', event => this.click(event));
    form.addEventListener('change', event => this.change(event.target));
    addEventListener('pageshow', () => this.show()); // The browser may have restored ticks.
    new MutationObserver(() => this.show()).observe(form, { childList: true, subtree: true }); // Rows refresh themselves.
    this.show();
  }

  /** With Shift, all rows between two clicks get the state of the second. */
  private click(event: MouseEvent): void {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.closest('tbody')) return;
    const rows = boxes(this.form), from = this.last ? rows.indexOf(this.last) : -1, to = rows.indexOf(box);
    if (event.shiftKey && from >= 0) for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) row.checked = box.checked;
    this.last = box;
  }

  private change(target: EventTarget | null): void {
    if (target instanceof HTMLInputElement && target.matches('[data-velg-alle]')) for (const box of boxes(this.form)) box.checked = target.checked;
    this.show();
  }

  private show(): void {
    const rows = boxes(this.form), chosen = rows.filter(box => box.checked).length;
    const head = this.form.querySelector<HTMLInputElement>('[data-velg-alle]'), bar = this.form.querySelector<HTMLElement>('.pick');
    if (head) {
      head.checked = rows.length > 0 && chosen === rows.length;
      head.indeterminate = chosen > 0 && chosen < rows.length;
    }
    if (!bar) return;
    const whole = bar.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked;
    const text = whole ? bar.dataset.alle ?? '' : chosen === 1 ? bar.dataset.en ?? '' : fill(bar.dataset.flere, { antall: chosen });
    const count = bar.querySelector('[data-antall]');
    if (count && count.textContent !== text) count.textContent = text;
    if (text !== this.said && (this.said || chosen)) announce(text);
    this.said = text;
  }
}

/** form[data-utvalg] holds rows with check boxes, and the bar .pick with the acts on chosen rows. */
export function selections(): void {
  for (const form of all<HTMLFormElement>('form[data-utvalg]')) new Selection(form);
}
