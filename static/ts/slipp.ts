/** The zone of a file that goes with its form: says which file is chosen, and shows that one may be let go here. */
import { all } from './dom';

export function dropZones(): void {
  for (const zone of all('[data-slipp]')) {
    const input = zone.querySelector<HTMLInputElement>('input[type=file]');
    const said = zone.querySelector<HTMLElement>('[data-valgt-fil]');
    if (!input || !said) continue;
    const tell = (): void => { said.textContent = input.files?.[0]?.name ?? said.dataset.ingen ?? ''; };
    input.addEventListener('change', tell);
    zone.addEventListener('dragover', () => { zone.dataset.over = ''; });
    for (const end of ['dragleave', 'drop']) zone.addEventListener(end, () => { delete zone.dataset.over; });
    tell(); // A browser that comes back to the page may have kept the file.
  }
}
