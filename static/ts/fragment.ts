/** A part of a page, asked for by id; the server's templates stay the only ones that make HTML. */

/** The server answered, but not with the part. */
export class Refused extends Error {
  constructor(readonly status: number) { super(`fragment: ${status}`); }
}

/** Fetches a fragment. A fragment never redirects: an answer that does is a sign-in page, and counts as a failure. */
export async function fragment(url: string, id: string, init: RequestInit = {}): Promise<Document> {
  const answer = await fetch(url, { ...init, redirect: 'error', headers: { Accept: `text/html; fragment=${id}` } });
  if (!answer.ok) throw new Refused(answer.status);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Sends form values in the body, never in the address, and gives up the request before it that still waits. */
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
