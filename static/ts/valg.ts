import { all } from './dom';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Disabled fields keep their value and are not submitted. Buttons stay enabled: Enter submits with the first one. */
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

/** [data-valg] holds radios with data-viser="id": only the section of the chosen one is visible and submitted; typed text is kept. */
export function choices(): void {
  for (const group of all('[data-valg]')) {
    group.addEventListener('change', () => update(group));
    addEventListener('pageshow', () => update(group)); // The browser may have restored another choice.
    update(group);
  }
}
