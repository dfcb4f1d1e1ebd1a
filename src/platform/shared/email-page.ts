/**
 * What a page that shows an email may do: look like itself. Nothing runs, nothing is sent. Pictures
 * may come from elsewhere, as in a mail program.
 */
export const emailPolicy =
  "default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'; font-src https: data:; " +
  "base-uri 'none'; form-action 'none'";

/**
 * The HTML of an email as a page for a sandboxed frame. The policy stands in the page itself too,
 * for frames that get it as text. Links open nothing: they would need a new window, which such a
 * frame may not open. `after` is added at the end, such as styles that win.
 */
export function emailPage(html: string, after = ''): string {
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${emailPolicy}"><meta name="referrer" content="no-referrer"><base target="_blank">`;
  // They come first, before anything of the email is read. Without a doctype a browser draws by the
  // rules of the nineties, which no mail program does.
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype.trim() || '<!doctype html>'}${head}${html.slice(doctype.length)}${after}`;
}
