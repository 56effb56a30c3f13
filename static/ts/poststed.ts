import { all, announce, fill } from './dom';

type Places = Record<string, string>;

const NORWAY = ['', 'norge']; // The server knows other names.

async function read(url: string): Promise<Places> {
  const answer = await fetch(url).catch(() => undefined); // If it fails, the user types the place, and the server fills it in too.
  return answer?.ok ? await answer.json() as Places : {};
}

function watch(group: HTMLElement, code: HTMLInputElement, place: HTMLInputElement, country: HTMLInputElement | null): void {
  const before = code.value.trim();
  let places: Promise<Places> | undefined;
  let filled: string | undefined; // A place typed by the user is not replaced.
  code.addEventListener('focus', () => { places ??= read(group.dataset.postnummer ?? ''); });
  code.addEventListener('input', () => {
    places ??= read(group.dataset.postnummer ?? '');
    void places.then(known => {
      filled ??= known[before] ?? '';
      const next = known[code.value.trim()];
      if (!next || !NORWAY.includes(country?.value.trim().toLowerCase() ?? '') || place.value.trim() && place.value !== filled) return;
      place.value = filled = next;
      place.dispatchEvent(new Event('input', { bubbles: true })); // What was wrong with it is known no longer.
      announce(fill(group.dataset.fylt, { sted: next }));
    });
  });
}

/** [data-postnummer="address of the postal codes"]: fills in the place while the code is typed. */
export function postalPlaces(): void {
  for (const group of all('[data-postnummer]')) {
    const input = (name: string): HTMLInputElement | null => group.querySelector<HTMLInputElement>(`input[name$="${name}"]`);
    const code = input('postnummer'), place = input('poststed');
    if (code && place) watch(group, code, place, input('land'));
  }
}
