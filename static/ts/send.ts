const FORGET_MS = 20_000;

interface Sent { submitter: Element | null; timer: number }

const sent = new Map<HTMLFormElement, Sent>();

function release(form: HTMLFormElement): void {
  const { submitter, timer } = sent.get(form) ?? {};
  clearTimeout(timer);
  submitter?.removeAttribute('aria-busy');
  sent.delete(form);
}

/** Disables the form until the next page, or for a while, since a downloaded file leaves the page in place. */
function hold(form: HTMLFormElement, submitter: Element | null): void {
  submitter?.setAttribute('aria-busy', 'true');
  sent.set(form, { submitter, timer: window.setTimeout(() => release(form), FORGET_MS) });
}

const posts = (form: HTMLFormElement, submitter: Element | null): boolean =>
  (submitter?.getAttribute('formmethod') ?? form.getAttribute('method'))?.toLowerCase() === 'post';

/** Ignores a second submit of a form while the first one is running. */
export function submitOnce(): void {
  document.addEventListener('submit', e => {
    const form = e.target;
    if (e.defaultPrevented || !(form instanceof HTMLFormElement) || !posts(form, e.submitter)) return;
    if (sent.has(form)) e.preventDefault();
    else hold(form, e.submitter);
  });
  addEventListener('pageshow', e => {
    if (e.persisted) [...sent.keys()].forEach(release);
  });
}
