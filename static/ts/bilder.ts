import { all } from './dom';

/** Pictures of pages that have not come when a form goes are given up: what is sent is no draft any more, and has none. */
export function pictures(): void {
  document.addEventListener('submit', e => {
    if (e.defaultPrevented) return;
    for (const picture of all<HTMLImageElement>('.page img')) {
      if (picture.complete) continue;
      picture.dataset.ventet = picture.src;
      picture.removeAttribute('src');
    }
  });
  addEventListener('pageshow', () => { // The way back may show the page as it was left.
    for (const picture of all<HTMLImageElement>('img[data-ventet]')) picture.src = picture.dataset.ventet ?? '';
  });
}
