import { all, fill } from './dom';
import { readPages, writePages } from './sidetall';

/** Check boxes on pictures of pages, in sync with a field of page numbers; one tab stop, arrow keys move between pages. */
class GiroPages {
  private current = 0;
  private readonly boxes: HTMLButtonElement[];

  constructor(private readonly strip: HTMLElement, private readonly field: HTMLInputElement) {
    this.boxes = [...strip.querySelectorAll<HTMLElement>('.page')].map(page => this.box(page));
    field.addEventListener('input', () => this.update());
    strip.addEventListener('click', e => this.toggle(this.at(e)));
    strip.addEventListener('focusin', e => { this.current = Math.max(this.at(e), 0); this.update(); });
    strip.addEventListener('keydown', e => this.move(e));
    strip.removeAttribute('tabindex'); // its pages get the focus instead
    this.update();
  }

  /** Replaces a page with a button around its picture. */
  private box(page: HTMLElement): HTMLButtonElement {
    const box = document.createElement('button'), name = document.createElement('span'), { side } = page.dataset;
    [box.type, box.className, box.role] = ['button', page.className, 'checkbox'];
    box.dataset.side = side;
    box.ariaLabel = fill(this.strip.dataset.giroside, { n: side ?? '' });
    name.textContent = page.querySelector('figcaption')?.textContent ?? '';
    box.append(...page.querySelectorAll('img'), name);
    page.replaceWith(box);
    return box;
  }

  private at({ target }: Event): number {
    return target instanceof Element ? this.boxes.findIndex(box => box.contains(target)) : -1;
  }

  private chosen(): Set<number> { return readPages(this.field.value, Number(this.strip.dataset.antall)); }

  /** Ticks the pages that the field names. */
  private update(): void {
    const chosen = this.chosen();
    this.boxes.forEach((box, i) => {
      box.ariaChecked = String(chosen.has(i + 1));
      box.tabIndex = i === this.current ? 0 : -1;
    });
  }

  /** Changes the field with an input event, so that other modules notice. */
  private toggle(index: number): void {
    if (index < 0) return;
    this.current = index; // Not every browser focuses a button on click.
    const chosen = this.chosen();
    if (!chosen.delete(index + 1)) chosen.add(index + 1);
    this.field.value = writePages(chosen);
    this.field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  private move(e: KeyboardEvent): void {
    const row = this.boxes.filter(box => box.offsetTop === this.boxes[0]?.offsetTop).length;
    const steps: Record<string, number> = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -this.current, End: this.boxes.length - 1 - this.current,
    };
    const step = steps[e.key], to = this.boxes[this.current + (step ?? 0)];
    if (step === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    to?.focus();
  }
}

function choose(strip: HTMLElement): void {
  const { felt } = strip.dataset, field = felt ? document.getElementById(felt) : null;
  if (field instanceof HTMLInputElement && strip.querySelector('figure')) new GiroPages(strip, field);
}

/** [data-felt="id of a field"]: pictures of a PDF's pages; the field holds the numbers of the chosen ones. */
export function giroPages(): void {
  all('[data-felt]').forEach(choose);
  // A file uploaded later.
  document.addEventListener('toggle', ({ target }) => {
    if (target instanceof HTMLElement) target.querySelectorAll<HTMLElement>('[data-felt]').forEach(choose);
  }, true);
}
