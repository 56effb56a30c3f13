import { all } from './dom';
import { Refused } from './fragment';
import { count, saveForm, tell } from './lagringspost';

const PAUSE_MS = 1500, AGAIN_MS = 20_000;
const CHECK_MS = 2000; // While a file waits in the queue for its check, its place is updated this often.

/**
 * form[data-lagre="url"]: saved after a pause in typing, and when the page is left. One request at a time, since each needs the
 * version that the one before it made; a submit waits for it, a page that is left need not where its saves are counted.
 */
class Autosave {
  private timer = 0;
  private saving: Promise<void> | undefined;
  private changed = false;
  private failing = false; // The last request failed.
  private stopped = false; // Another tab has saved, or the form is submitted.
  private held: HTMLElement | null | undefined; // Submit button to press again when the running save has ended.

  constructor(private readonly form: HTMLFormElement) {
    form.addEventListener('input', () => { this.later(); });
    form.addEventListener('change', () => { this.later(0); });
    form.addEventListener('kontrolleres', () => { this.later(CHECK_MS); });
    form.addEventListener('submit', e => { this.submit(e); });
    document.addEventListener('visibilitychange', () => { if (this.changed) void this.save(); }); // The tab was left, or shown again after a login.
    addEventListener('beforeunload', e => { if (this.changed && (this.failing || !this.leave())) e.preventDefault(); });
  }

  private later(pause = PAUSE_MS): void {
    if (this.stopped) return;
    this.changed = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(), pause);
  }

  /** Returns undefined if saving is impossible: then the browser asks before the page is left. */
  private save(): Promise<void> | undefined {
    if (this.stopped) return undefined;
    if (this.saving) { this.later(); return this.saving; }
    clearTimeout(this.timer);
    this.changed = false;
    this.saving = this.post().finally(() => {
      this.saving = undefined;
      this.goOn();
    });
    return this.saving;
  }

  /** Saves what the running save does not hold. False: that is impossible. */
  private leave(): boolean {
    if (!this.saving || this.stopped || !count(this.form)) return !this.saving && this.save() !== undefined;
    this.changed = false;
    void this.post();
    return true;
  }

  private async post(): Promise<void> {
    try {
      await saveForm(this.form);
      this.failing = false;
    } catch (problem) {
      this.failed(problem instanceof Refused ? problem.status : 0);
    }
  }

  private failed(status: number): void {
    const { lagreFane = '', lagreUte = '', lagreFeil = '' } = this.form.dataset;
    this.changed = this.failing = true;
    this.stopped = status === 409 || status === 404;
    tell(this.stopped ? lagreFane : status === 401 ? lagreUte : lagreFeil);
    if (!this.stopped) this.later(AGAIN_MS);
  }

  private submit(e: SubmitEvent): void {
    if (e.defaultPrevented) return;
    if (this.saving) {
      e.preventDefault();
      this.held = e.submitter;
      this.form.setAttribute('aria-busy', 'true');
      return;
    }
    clearTimeout(this.timer);
    count(this.form);
    [this.changed, this.stopped] = [false, true];
    setTimeout(() => { if (e.defaultPrevented) this.stopped = false; }); // Another module prevented the submit.
  }

  private goOn(): void {
    if (this.held === undefined) return;
    const submitter = this.held;
    this.held = undefined;
    this.form.requestSubmit(submitter);
    this.form.removeAttribute('aria-busy');
  }
}

export function autosave(): void {
  for (const form of all<HTMLFormElement>('form[data-lagre]')) new Autosave(form);
}
