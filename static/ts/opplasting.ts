import { all } from './dom';
import { Upload } from './opplastingsrad';

const AT_ONCE = 2;

/** [data-opplasting="url"]: chosen or dropped files are sent one by one; the answer is the file's row in #dokumentliste. */
export function uploads(): void {
  for (const area of all('[data-opplasting]')) {
    const input = area.querySelector<HTMLInputElement>('input[type=file]'), list = area.querySelector('ul');
    if (input && list) watch(area, input, list);
  }
}

function watch(area: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  const zone = input.parentElement ?? area, queue: Upload[] = [];
  let running = 0;
  const next = (): void => {
    const upload = running < AT_ONCE ? queue.shift() : undefined;
    if (!upload) return;
    running++;
    void upload.send(area.dataset.opplasting ?? '').then(() => { running--; next(); });
    next();
  };
  const add = (files: Iterable<File>): void => {
    for (const file of files) queue.push(new Upload(file, area.dataset, list, () => input.focus()));
    next();
  };

  list.hidden = false;
  input.addEventListener('input', e => e.stopPropagation()); // Sent at once: nothing that the page could lose.
  input.addEventListener('change', () => { add([...input.files ?? []]); input.value = ''; });
  zone.addEventListener('dragover', e => { e.preventDefault(); zone.dataset.over = ''; });
  zone.addEventListener('dragleave', () => { delete zone.dataset.over; });
  zone.addEventListener('drop', e => { e.preventDefault(); delete zone.dataset.over; add(e.dataTransfer?.files ?? []); });
  addEventListener('beforeunload', e => { if (running) e.preventDefault(); });
}
