import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

/** Opens a PDF with the reader that the attributes name: half a megabyte, fetched when the first pages are wanted. The signal stops fetching. */
export async function openPDF(strip: DOMStringMap, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const reader = await import(strip.leser ?? '') as typeof import('pdfjs-dist');
  reader.GlobalWorkerOptions.workerSrc = strip.arbeider ?? '';
  // JPEG 2000 is decoded without WebAssembly, which the policy of our pages forbids. Nothing in a file is run.
  const answer = await fetch(strip.sider ?? '', { signal });
  if (!answer.ok) throw new Error(`the file cannot be fetched: ${answer.status}`);
  return reader.getDocument({
    data: await answer.arrayBuffer(), wasmUrl: strip.bilder ?? '', useWasm: false, isEvalSupported: false, verbosity: 0,
  }).promise;
}

/** Draws a page as wide as its canvas is shown, as sharp as the screen. A picture that cannot be decoded is left out silently: it is told here. */
export async function draw(page: PDFPageProxy, canvas: HTMLCanvasElement): Promise<void> {
  const { width } = page.getViewport({ scale: 1 }), shown = canvas.clientWidth * Math.min(devicePixelRatio, 2);
  const viewport = page.getViewport({ scale: shown / width });
  [canvas.width, canvas.height] = [Math.round(viewport.width), Math.round(viewport.height)];
  await page.render({ canvas, viewport }).promise;
  const missing = [...page.objs].some(([, picture]) => picture === null);
  page.cleanup();
  if (missing) throw new Error('a picture of the page cannot be decoded');
}
