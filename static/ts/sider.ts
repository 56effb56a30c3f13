import type { PDFDocumentProxy } from 'pdfjs-dist';
import { all, fill } from './dom';
import { draw, openPDF } from './pdf';
import { GiroPages } from './giro';

const STAYED_MS = 20_000;

let leaving = new AbortController();

/** A form that goes may end what the files belong to: nothing is fetched while it is on its way. */
function stopFetching(e: SubmitEvent): void {
  if (e.defaultPrevented) return;
  leaving.abort();
  setTimeout(() => { leaving = new AbortController(); }, STAYED_MS);
}

/** The pages of one file, each drawn when it comes into view, one after the other. */
class Strip {
  private file: Promise<PDFDocumentProxy> | undefined;
  private queue = Promise.resolve();
  private readonly seen = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.want(target as HTMLElement);
  }, { rootMargin: '200px' });
  private readonly giro: GiroPages | undefined;

  constructor(private readonly strip: HTMLElement) {
    const { dataset: { felt, antall, forst } } = strip, field = felt ? document.getElementById(felt) : null;
    if (field instanceof HTMLInputElement) this.giro = new GiroPages(strip, field, Number(antall));
    const more = strip.nextElementSibling;
    if (more instanceof HTMLButtonElement) more.addEventListener('click', () => { this.show(Number(antall)); more.remove(); this.focus(); });
    this.show(Number(forst ?? antall));
  }

  private focus(): void { this.strip.tabIndex = 0; this.strip.focus(); }

  /** A page has its place before it is drawn, and keeps it when it cannot be. */
  private show(upTo: number): void {
    for (let n = this.strip.childElementCount + 1; n <= upTo; n++) {
      const page = document.createElement(this.giro ? 'button' : 'div'), canvas = document.createElement('canvas'), name = document.createElement('span');
      [page.className, page.role, page.dataset.side] = ['page', this.giro ? 'checkbox' : 'img', String(n)];
      const { side, giroside, giro } = this.strip.dataset, chosen = giro?.split(' ').includes(String(n));
      page.ariaLabel = fill(this.giro || chosen ? giroside : side, { n });
      name.textContent = fill(chosen ? giroside : side, { n });
      if (chosen) page.dataset.valgt = '';
      if (page instanceof HTMLButtonElement) page.type = 'button';
      page.append(canvas, name);
      this.strip.append(page);
      this.seen.observe(page);
    }
    this.giro?.update();
  }

  private want(page: HTMLElement): void {
    this.seen.unobserve(page);
    this.file ??= openPDF(this.strip.dataset, leaving.signal);
    this.queue = this.queue.then(() => this.draw(page)).catch(() => this.fail(page));
  }

  private async draw(page: HTMLElement): Promise<void> {
    const canvas = page.querySelector('canvas');
    if (canvas && this.file) await draw(await (await this.file).getPage(Number(page.dataset.side)), canvas);
    page.dataset.tegnet = '';
  }

  private fail(page: HTMLElement): void {
    const why = document.createElement('em');
    why.textContent = this.strip.dataset.feil ?? '';
    page.querySelector('canvas')?.replaceWith(why);
    page.ariaLabel += `. ${why.textContent}`;
  }
}

/** [data-sider="url"]: thumbnails of a PDF's pages, begun when they come into view; with data-felt they choose pages. */
export function pages(): void {
  const begin = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      begin.unobserve(target);
      new Strip(target as HTMLElement);
    }
  }, { rootMargin: '100px' });
  for (const strip of all('[data-sider]')) begin.observe(strip);
  document.addEventListener('submit', stopFetching);
  // A file that has been uploaded since.
  document.addEventListener('toggle', ({ target }) => {
    if (target instanceof HTMLElement) for (const strip of target.querySelectorAll('[data-sider]:empty')) begin.observe(strip);
  }, true);
}
