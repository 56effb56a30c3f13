import { all } from './dom';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field that is switched off keeps its value but is not posted. Buttons stay on: Enter in a form needs the first of them. */
function show(part: HTMLElement, chosen: boolean): void {
  part.hidden = !chosen;
  for (const field of part.querySelectorAll<Field>('input, select, textarea')) field.disabled = !chosen;
}

function update(group: HTMLElement): void {
  const parts = new Map<HTMLElement, boolean>();
  for (const radio of group.querySelectorAll<HTMLInputElement>('input[type=radio][data-viser]')) {
    const part = document.getElementById(radio.dataset.viser ?? '');
    if (part) parts.set(part, radio.checked || parts.get(part) === true);
  }
  parts.forEach((chosen, part) => show(part, chosen));
}

/** [data-valg] holds radios with data-viser="id": only the chosen one's part is seen and posted; what was typed is kept. */
export function choices(): void {
  for (const group of all('[data-valg]')) {
    group.addEventListener('change', () => update(group));
    addEventListener('pageshow', () => update(group)); // The browser may have put back an older choice.
    update(group);
  }
}
