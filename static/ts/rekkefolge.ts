import { all, announce, fill } from './dom';

/** A row's first element is its number; its buttons have the direction in data-flytt: -1 is up. */
const rows = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(':scope > [data-id]')];
const mover = (row: HTMLElement, way: number) => row.querySelector<HTMLButtonElement>(`[data-flytt="${way}"]`);

class Order {
  private saving = Promise.resolve();
  private dragged: HTMLElement | undefined;
  private before = '';

  constructor(private readonly list: HTMLElement, private readonly url: string) {
    list.addEventListener('click', e => this.press(e));
    list.addEventListener('pointerdown', e => this.grab(e));
    list.addEventListener('pointermove', e => this.drag(e));
    for (const end of ['pointerup', 'pointercancel']) list.addEventListener(end, () => this.drop());
    list.addEventListener('ordnet', () => { this.saving = this.saving.then(() => this.save(null)); }); // Another module has moved rows.
    new MutationObserver(() => this.number()).observe(list, { childList: true });
    this.number();
  }

  private ids(): string[] { return rows(this.list).map(row => row.dataset.id ?? ''); }

  private number(): void {
    rows(this.list).forEach((row, i, { length }) => {
      const n = row.firstElementChild, up = mover(row, -1), down = mover(row, 1);
      if (n) n.textContent = String(i + 1);
      if (up) up.disabled = i === 0;
      if (down) down.disabled = i === length - 1;
      if (row.querySelector('[data-grep]')) return;
      const grip = document.createElement('span');
      [grip.className, grip.ariaHidden, grip.dataset.grep] = ['doc-grip', 'true', ''];
      row.append(grip);
    });
  }

  /** Moves the neighbour past the row, so that the button keeps the focus. */
  private press(e: Event): void {
    const button = e.target instanceof Element && e.target.closest<HTMLButtonElement>('[data-flytt]');
    const row = button && button.closest<HTMLElement>('[data-id]');
    if (!button || !row) return;
    const way = Number(button.dataset.flytt), other = way < 0 ? row.previousElementSibling : row.nextElementSibling;
    e.preventDefault();
    if (!other) return;
    if (way < 0) row.after(other); else row.before(other);
    this.moved(row, button);
    if (button.disabled) mover(row, -way)?.focus();
  }

  private moved(row: HTMLElement, button: HTMLButtonElement | null): void {
    const ids = this.ids();
    this.number();
    announce(fill(this.list.dataset.flyttet, { navn: row.dataset.navn ?? '', n: ids.indexOf(row.dataset.id ?? '') + 1, av: ids.length }));
    this.saving = this.saving.then(() => this.save(button));
  }

  /** Saves one change after the other. If that fails, the form is submitted, and the answer shows the stored order. */
  private async save(button: HTMLButtonElement | null): Promise<void> {
    const body = new URLSearchParams(this.ids().map(id => ['dokument', id]));
    const answer = await fetch(this.url, { method: 'POST', body, keepalive: true }).catch(() => undefined);
    if (!answer?.ok) this.list.closest('form')?.requestSubmit(button);
  }

  private grab(e: PointerEvent): void {
    const grip = e.target instanceof Element && e.target.closest('[data-grep]');
    if (!grip || e.button !== 0) return;
    e.preventDefault();
    this.list.setPointerCapture(e.pointerId);
    this.dragged = grip.closest<HTMLElement>('[data-id]') ?? undefined;
    this.before = this.ids().join();
    if (this.dragged) this.dragged.dataset.dras = '';
  }

  private drag({ clientY }: PointerEvent): void {
    const { dragged } = this;
    if (!dragged) return;
    for (const row of rows(this.list)) {
      const { top, bottom, height } = row.getBoundingClientRect(), middle = top + height / 2;
      const follows = Boolean(row.compareDocumentPosition(dragged) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (row === dragged || clientY < top || clientY > bottom) continue;
      if (follows && clientY < middle) row.before(dragged);
      if (!follows && clientY > middle) row.after(dragged);
      return;
    }
  }

  private drop(): void {
    const row = this.dragged;
    if (!row) return;
    this.dragged = undefined;
    delete row.dataset.dras;
    if (this.ids().join() !== this.before) this.moved(row, null);
  }
}

/** [data-rekkefolge="url"]: buttons or a grip move files at once, and the order is saved in the background. */
export function documentOrder(): void {
  for (const list of all('[data-rekkefolge]')) new Order(list, list.dataset.rekkefolge ?? '');
}
