import { all, holdsFocus, swap, whenReleased } from './dom';
import { fragment, Refused } from './fragment';

const LONGEST_S = 60;
const FINAL = [401, 403, 404];
const failing = new Set<string>();

/** html[data-direkte] tells the style sheet whether the page is up to date. */
function report(id: string, works: boolean): void {
  if (works) failing.delete(id);
  else failing.add(id);
  document.documentElement.dataset.direkte = failing.size ? 'av' : 'paa';
}

class Part {
  private timer = 0;
  private busy = false;
  private stopped = false;
  private failures = 0;

  constructor(private readonly id: string, private html: string) {}

  /** The server's answer says how long to wait; without that the fragment is final. Failures double the wait. */
  plan(): void {
    clearTimeout(this.timer);
    const after = Number(document.getElementById(this.id)?.dataset.liveEtter);
    if (this.stopped || document.hidden || !(after > 0)) return;
    const wait = Math.min(Math.max(after, 1) * 2 ** this.failures, Math.max(after, LONGEST_S));
    this.timer = window.setTimeout(() => void this.ask(), wait * 1000);
  }

  async ask(): Promise<void> {
    const part = document.getElementById(this.id);
    if (this.busy || this.stopped || !part?.dataset.liveEtter) return;
    this.busy = true;
    try {
      this.take(await fragment(part.dataset.live || location.pathname + location.search, this.id));
    } catch (problem) {
      this.failures++;
      this.stopped = problem instanceof Refused && FINAL.includes(problem.status);
      report(this.id, false);
    }
    this.busy = false;
    this.plan();
  }

  /** Compares with the server's last answer, not with the page, where the user may have unfolded something. */
  private take(answer: Document): void {
    const fresh = answer.getElementById(this.id), old = document.getElementById(this.id);
    if (!fresh || !old) throw new Error(`fragment: no ${this.id}`);
    this.failures = 0;
    report(this.id, true);
    if (fresh.outerHTML !== this.html) whenReleased(() => this.put(fresh));
  }

  private put(fresh: HTMLElement): void {
    const old = document.getElementById(this.id);
    if (!old || holdsFocus(old)) return;
    this.html = fresh.outerHTML;
    swap(fresh);
  }
}

/** [data-live] with an id and data-live-etter (seconds): refreshed until the server omits that attribute. */
export function live(): void {
  const parts = all('[data-live][id]').map(e => new Part(e.id, e.outerHTML));
  document.addEventListener('visibilitychange', () => {
    parts.forEach(p => { if (document.hidden) p.plan(); else void p.ask(); });
  });
  parts.forEach(p => p.plan());
}
