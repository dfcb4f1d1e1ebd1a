import { fromThisHost } from '#features/images/rules/address.ts';
import { turnedColours } from './turned-colours.ts';

/**
 * What a page that shows an email may do: look like itself. Nothing runs, nothing is sent. Pictures
 * may come from elsewhere, as in a mail program.
 */
export const previewPolicy =
  "default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'; font-src https: data:; " +
  "base-uri 'none'; form-action 'none'";

/**
 * The HTML of an email as a page for a sandboxed frame. The policy stands in the page itself too,
 * for frames that get it as text. Links open nothing: they would need a new window, which such a
 * frame may not open.
 */
export function previewPage(email: string, isDark = false): string {
  const html = inScheme(fromThisHost(email), isDark);
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${previewPolicy}"><meta name="referrer" content="no-referrer"><base target="_blank">`;
  // They come first, before anything of the email is read. Without a doctype a browser draws by the
  // rules of the nineties, which no mail program does.
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  const turned = isDark && !ownDark.test(email) ? `<style>${turnedColours}</style>` : '';
  return `${doctype.trim() || '<!doctype html>'}${head}${html.slice(doctype.length)}${turned}`;
}

/** An email with colours of its own for the dark, which mail programs then leave alone. */
const ownDark = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/i;

/** What an email says for the light and for the dark, whatever the screen is that shows it. */
const inScheme = (html: string, isDark: boolean): string =>
  html.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, wanted: string) =>
    (wanted.toLowerCase() === 'dark') === isDark ? '(min-width: 0)' : '(max-width: 0)',
  );
