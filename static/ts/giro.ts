import { readPages, writePages } from './sidetall';

/** Check boxes on thumbnails and a field of page numbers that say the same; one stop for Tab, arrows move between pages. */
export class GiroPages {
  private current = 0;

  constructor(private readonly strip: HTMLElement, private readonly field: HTMLInputElement, private readonly last: number) {
    field.addEventListener('input', () => this.update());
    strip.addEventListener('click', e => this.toggle(this.at(e)));
    strip.addEventListener('focusin', e => { this.current = Math.max(this.at(e), 0); this.update(); });
    strip.addEventListener('keydown', e => this.move(e));
  }

  private boxes(): HTMLElement[] { return [...this.strip.querySelectorAll<HTMLElement>('[role=checkbox]')]; }

  private at({ target }: Event): number {
    return target instanceof Element ? this.boxes().findIndex(box => box.contains(target)) : -1;
  }

  /** Shows what the field says. */
  update(): void {
    const chosen = readPages(this.field.value, this.last);
    this.boxes().forEach((box, i) => {
      box.ariaChecked = String(chosen.has(i + 1));
      box.tabIndex = i === this.current ? 0 : -1;
    });
  }

  /** Writes into the field as a person would, so that whoever listens to it hears. */
  private toggle(index: number): void {
    if (index < 0) return;
    this.current = index; // Not every browser gives a button the focus when it is clicked.
    const chosen = readPages(this.field.value, this.last);
    if (!chosen.delete(index + 1)) chosen.add(index + 1);
    this.field.value = writePages(chosen);
    this.field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  private move(e: KeyboardEvent): void {
    const boxes = this.boxes(), row = boxes.filter(box => box.offsetTop === boxes[0]?.offsetTop).length;
    const steps: Record<string, number> = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -this.current, End: boxes.length - 1 - this.current,
    };
    const step = steps[e.key], to = boxes[this.current + (step ?? 0)];
    if (step === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    to?.focus();
  }
}
