/** Bytes. What the call takes has fewer characters. Above it, nothing needs to be read. */
const largestFile = 4_000_000;
const notHtml = 'This file is no HTML. Choose a file that ends in .html, or a zip.';

/** Whether a file is a zip, which the server reads. Its content counts, then its name. */
export async function isZip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return (first === 0x50 && second === 0x4b) || /\.zip$/i.test(file.name);
}

/**
 * The HTML in a file, or why it cannot be taken. Many programs still write in the code page of
 * Windows, which UTF-8 cannot read.
 */
export async function readHtmlFile(file: File): Promise<{ html: string } | { refusal: string }> {
  if (file.size > largestFile) return { refusal: 'The HTML is larger than 1 MB. Take something out of it.' };
  try {
    const html = decoded(await file.arrayBuffer());
    return html.includes('\0') ? { refusal: notHtml } : { html };
  } catch {
    return { refusal: 'The file could not be read.' };
  }
}

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * What the template may be called: the title of its cleaned HTML, else the name of its file. Event
 * handlers in HTML that is not cleaned would be reported by the browser even though none runs.
 */
export function nameFor(html: string, fileName: string): string {
  const title = new DOMParser().parseFromString(html, 'text/html').title.trim();
  const isText = title !== '' && !/\*\||\{[{%]/.test(title);
  return isText ? title : fileName.replace(/\.(html?|zip)$/i, '');
}
