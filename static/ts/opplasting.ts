import { all, announce } from './dom';
import { Upload } from './opplastingsrad';

const AT_ONCE = 2;

/**
 * [data-opplasting="url"]: chosen or dropped files are sent one by one; the answer is the file's row in #dokumentliste. The form
 * waits for them, and goes on by itself unless one fails. [data-etterpa="url"]: when all are in and none has failed, the page goes there.
 */
export function uploads(): void {
  for (const area of all('[data-opplasting]')) {
    const input = area.querySelector<HTMLInputElement>('input[type=file]'), list = area.querySelector('ul');
    if (input && list) watch(area, input, list);
  }
}

function watch(area: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  const zone = input.parentElement ?? area, form = area.closest('form'), queue: Upload[] = [];
  const wait = form?.querySelector<HTMLElement>('[data-vent]');
  let running = 0, turns = 0, failed = false, held: HTMLElement | null | undefined; // Submit button to press again when the uploads have ended.
  const hold = (submitter: HTMLElement | null | undefined): void => {
    held?.removeAttribute('aria-busy');
    held = submitter;
    held?.setAttribute('aria-busy', 'true');
    if (!wait) return;
    wait.hidden = submitter === undefined;
    if (!wait.hidden) announce(wait.textContent ?? '');
  };
  const goOn = (): void => {
    if (running || held === undefined) return;
    const submitter = held;
    hold(undefined);
    form?.requestSubmit(submitter);
  };
  const next = (): void => {
    const upload = running < AT_ONCE ? queue.shift() : undefined;
    if (!upload) return;
    running++;
    void upload.send(area.dataset.opplasting ?? '').then(there => {
      running--;
      failed ||= !there;
      if (!there) hold(undefined);
      next();
      goOn();
      if (!running && !failed && area.dataset.etterpa) location.assign(area.dataset.etterpa);
    });
    next();
  };
  const add = (files: Iterable<File>): void => {
    for (const file of files) queue.push(new Upload(file, area.dataset, list, () => input.focus(), turns++));
    next();
  };

  list.hidden = false;
  form?.addEventListener('submit', e => {
    if (!running) return;
    e.preventDefault();
    hold(e.submitter);
  });
  input.addEventListener('input', e => e.stopPropagation()); // Uploaded at once: no unsaved change.
  input.addEventListener('change', () => { add([...input.files ?? []]); input.value = ''; });
  zone.addEventListener('dragover', e => { e.preventDefault(); zone.dataset.over = ''; });
  zone.addEventListener('dragleave', () => { delete zone.dataset.over; });
  zone.addEventListener('drop', e => { e.preventDefault(); delete zone.dataset.over; add(e.dataTransfer?.files ?? []); });
  addEventListener('beforeunload', e => { if (running) e.preventDefault(); });
}
