import { announce } from './dom';
import { fragment, Refused } from './fragment';

const WARN_MS = 10 * 60_000;
let timer = 0;
let ends = 0;

const part = (): HTMLElement | null => document.getElementById('okt');

/** Reads from the fragment how long the session lasts, and schedules a check before its end and one after. */
function plan(): void {
  const warning = part();
  if (!warning) return;
  ends = Date.now() + Number(warning.dataset.okt) * 1000;
  const left = ends - Date.now(), soon = left <= WARN_MS;
  if (soon) announce(warning.dataset.varsel ?? '');
  warning.hidden = !soon;
  clearTimeout(timer);
  timer = window.setTimeout(() => void ask(), (soon ? left : left - WARN_MS) + 1500);
}

/** Typed text stays on the page: the user can log in from another tab. */
function signedOut(): void {
  const warning = part();
  if (!warning) return;
  warning.hidden = false;
  warning.querySelectorAll<HTMLElement>('[data-okt-inne]').forEach(e => { e.hidden = true; });
  warning.querySelectorAll<HTMLElement>('[data-okt-ute]').forEach(e => { e.hidden = false; });
  announce(warning.querySelector('p[data-okt-ute]')?.textContent ?? '');
}

/** Asks how long the session lasts, since other tabs may have used it. Asking does not prolong it. */
async function ask(init: RequestInit = {}, address = part()?.dataset.adresse ?? ''): Promise<boolean> {
  try {
    const fresh = (await fragment(address, 'okt', init)).getElementById('okt');
    if (!fresh) return false;
    part()?.replaceWith(document.importNode(fresh, true));
    plan();
    return true;
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) signedOut();
    else timer = window.setTimeout(() => void ask(), 60_000);
    return false;
  }
}

/** #okt: a warning ten minutes before the session ends; its button prolongs it without leaving the page. */
export function session(): void {
  plan();
  document.addEventListener('submit', e => {
    const form = e.target;
    if (!(form instanceof HTMLFormElement) || !form.closest('#okt')) return;
    e.preventDefault();
    void ask({ method: 'POST' }, form.action).then(kept => { if (kept) announce(part()?.dataset.forlenget ?? ''); });
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && part() && ends - Date.now() <= WARN_MS) void ask();
  });
}
