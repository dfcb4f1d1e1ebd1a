import { fromThisHost } from '#features/images/rules/address.ts';
import { emailPage } from '#platform/shared/email-page.ts';
import { turnedColours } from './turned-colours.ts';

/** The HTML of an email as a page for a sandboxed frame, in the light or in the dark. */
export function previewPage(email: string, isDark = false): string {
  const html = inScheme(fromThisHost(email), isDark);
  const turned = isDark && !ownDark.test(email) ? `<style>${turnedColours}</style>` : '';
  return emailPage(html, turned);
}

/** An email with colours of its own for the dark, which mail programs then leave alone. */
const ownDark = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/i;

/** What an email says for the light and for the dark, whatever the screen is that shows it. */
const inScheme = (html: string, isDark: boolean): string =>
  html.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, wanted: string) =>
    (wanted.toLowerCase() === 'dark') === isDark ? '(min-width: 0)' : '(max-width: 0)',
  );
