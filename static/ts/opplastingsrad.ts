import { announce, fill } from './dom';

const LIMIT_MS = 16 * 60_000; // The service's time limit for a submission.
const REFUSED = 422;

/** Makes its formatter when a number is written: three made as each page loads took 60 ms before its first paint, on a processor slowed down four times. */
const format = (n: number, options: Intl.NumberFormatOptions): string => n.toLocaleString(document.documentElement.lang, options);
const unit = (n: number, name: string, digits: number): string => format(n, { style: 'unit', unit: name, maximumFractionDigits: digits });
const size = (n: number): string => (n < 1e6 ? unit(Math.max(n / 1e3, 1), 'kilobyte', 0) : unit(n / 1e6, 'megabyte', 1));

/** Inserts an uploaded file in the order in which files were chosen, since uploads may end in another order, and tells the server. */
function take(fresh: HTMLElement, turn: number): HTMLElement {
  const row = document.importNode(fresh, true), list = document.getElementById('dokumentliste'), at = Number(row.firstElementChild?.textContent) - 1;
  const rows = [...list?.children ?? []] as HTMLElement[], later = rows.findIndex(r => Number(r.dataset.tur) > turn);
  const after = Math.max(at, rows.findLastIndex(r => Number(r.dataset.tur) < turn) + 1), place = later < 0 ? after : Math.min(later, after);
  row.dataset.tur = String(turn);
  list?.insertBefore(row, rows[place] ?? null);
  if (place !== at) list?.dispatchEvent(new Event('ordnet'));
  if ('signerbar' in row.dataset) document.querySelector<HTMLSelectElement>('select[name=signer]')?.add(new Option(row.dataset.navn, row.dataset.id));
  list?.dispatchEvent(new Event('change', { bubbles: true }));
  return row;
}

/** One upload: a row with a progress bar, and a button that cancels it or, after a failure, removes the row. */
export class Upload {
  private readonly row = document.createElement('li');
  private readonly bar = document.createElement('progress');
  private readonly state = document.createElement('span');
  private readonly button = document.createElement('button');
  private readonly request = new XMLHttpRequest();
  private stopped = false;

  constructor(private readonly file: File, private readonly texts: DOMStringMap, list: Element, private readonly leave: () => void,
    private readonly turn: number) {
    const main = document.createElement('div'), name = document.createElement('strong');
    [this.row.className, main.className, this.state.className, this.button.className] = ['doc', 'doc-main', 'doc-meta', 'ds-button'];
    name.textContent = this.bar.ariaLabel = file.name;
    Object.assign(this.bar, { max: file.size || 1, value: 0 });
    Object.assign(this.button, { type: 'button', ariaLabel: this.say(texts.avbryt), onclick: () => this.stop() });
    Object.assign(this.button.dataset, { variant: 'tertiary', icon: '' });
    this.state.textContent = texts.venter ?? '';
    main.append(name, this.bar, this.state);
    this.row.append(main, this.button);
    list.append(this.row);
    announce(`${file.name}: ${texts.venter}`);
  }

  private say(text: string | undefined): string { return fill(text, { navn: this.file.name }); }

  /** Resolves when the file is uploaded, has failed or was cancelled, and tells whether it was uploaded. A file cancelled in the queue is not sent. */
  send(url: string): Promise<boolean> {
    const { request, state, texts } = this, body = new FormData();
    if (this.stopped) return Promise.resolve(false);
    body.append('fil', this.file);
    request.open('POST', url);
    request.setRequestHeader('Accept', 'text/html; fragment=dokument');
    request.overrideMimeType('text/html; charset=utf-8'); // Otherwise an empty answer is parsed as XML, with styles that the content security policy forbids.
    Object.assign(request, { responseType: 'document', timeout: LIMIT_MS });
    request.upload.onprogress = ({ loaded, total }) => {
      Object.assign(this.bar, { max: total, value: loaded });
      state.textContent = fill(texts.fremdrift, { prosent: format(loaded / total, { style: 'percent' }), sendt: size(loaded), alt: size(total) });
    };
    request.upload.onload = () => { state.textContent = texts.kontrolleres ?? ''; this.row.dispatchEvent(new Event('kontrolleres', { bubbles: true })); };
    return new Promise(resolve => {
      request.onloadend = () => { resolve(this.ended()); };
      request.send(body);
    });
  }

  private ended(): boolean {
    const { status, responseXML: answer } = this.request, fresh = answer?.querySelector<HTMLElement>('li[data-id]');
    if (this.stopped) return false;
    if (!fresh || status !== 200) return this.fail(status === REFUSED ? answer?.body.textContent?.trim() ?? '' : '');
    const row = take(fresh, this.turn);
    if (this.row.contains(document.activeElement)) row.focus();
    this.row.remove();
    announce(this.say(this.texts.ferdig));
    return true;
  }

  private fail(why: string): false {
    const failed = this.say(this.texts.feilet);
    this.bar.remove();
    this.state.dataset.feil = '';
    this.state.textContent = why || failed;
    this.button.ariaLabel = this.say(this.texts.fjern);
    announce(`${failed} ${why}`);
    return false;
  }

  private stop(): void {
    if (this.bar.isConnected) announce(this.say(this.texts.avbrutt));
    this.stopped = true;
    this.request.abort();
    this.leave();
    this.row.remove();
  }
}
