/** Fragments of a page, fetched by id: only the server's templates make HTML. */

/** The answer does not contain the fragment. */
export class Refused extends Error {
  constructor(readonly status: number) { super(`fragment: ${status}`); }
}

/** Fetches a fragment. A redirect leads to the login page, and counts as a failure. */
export async function fragment(url: string, id: string, init: RequestInit = {}): Promise<Document> {
  const answer = await fetch(url, { ...init, redirect: 'error', headers: { Accept: `text/html; fragment=${id}` } });
  if (!answer.ok) throw new Refused(answer.status);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Posts form values (never in the URL), and aborts an earlier request that is still running. */
export class Question {
  private current: AbortController | undefined;

  ask(url: string, id: string, name: string, value: string): Promise<Document> { return this.post(url, id, new URLSearchParams([[name, value]])); }

  post(url: string, id: string, body: URLSearchParams): Promise<Document> {
    this.cancel();
    this.current = new AbortController();
    return fragment(url, id, { method: 'POST', body, signal: this.current.signal });
  }

  cancel(): void { this.current?.abort(); }
}
