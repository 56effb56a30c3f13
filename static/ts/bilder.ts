import { all } from './dom';

/** Cancels pending pictures when a form is submitted: once sent, a draft has no pictures any more. */
export function pictures(): void {
  document.addEventListener('submit', e => {
    if (e.defaultPrevented) return;
    for (const picture of all<HTMLImageElement>('.page img')) {
      if (picture.complete) continue;
      picture.dataset.ventet = picture.src;
      picture.removeAttribute('src');
    }
  });
  addEventListener('pageshow', () => { // Back may show the page from the browser's cache.
    for (const picture of all<HTMLImageElement>('img[data-ventet]')) picture.src = picture.dataset.ventet ?? '';
  });
}
