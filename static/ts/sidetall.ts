/** Parses page numbers as people type them: "2, 4–6". The server parses them again, and reports what is malformed. */

export function readPages(text: string, last: number): Set<number> {
  const pages = new Set<number>();
  for (const part of text.replace(/\s/g, '').split(/[,;]/)) {
    const [, from, to] = /^(\d+)(?:[-–—](\d+))?$/.exec(part) ?? [];
    if (!from) continue;
    for (let n = Math.max(Number(from), 1); n <= Math.min(Number(to ?? from), last); n++) pages.add(n);
  }
  return pages;
}

export function writePages(pages: Set<number>): string {
  const sorted = [...pages].sort((a, b) => a - b), parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i];
    while (sorted[i + 1] === (sorted[i] ?? 0) + 1) i++;
    parts.push(from === sorted[i] ? `${from}` : `${from}–${sorted[i]}`);
  }
  return parts.join(', ');
}
