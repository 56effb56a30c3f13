import { all } from './dom';

/** form[data-ulagret]: the browser asks before the page is left with unsaved changes. */
export function unsaved(): void {
  for (const form of all<HTMLFormElement>('form[data-ulagret]')) {
    let changed = false;
    form.addEventListener('input', () => { changed = true; });
    form.addEventListener('submit', e => { if (!e.defaultPrevented) changed = false; }); // Another module may have prevented the submit.
    addEventListener('beforeunload', e => { if (changed) e.preventDefault(); });
  }
}
