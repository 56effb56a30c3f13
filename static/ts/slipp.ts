/** Drop zone of a file input without upload by script: shows the chosen file, and marks the zone during a drag. */
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
    tell(); // The browser may have restored the file.
  }
}
