import { createHash } from 'node:crypto';
import { escapeHtml } from '#features/templates/rules/liquid/values.ts';
import type { Business } from './business.ts';
import { stylesOf } from './styles.ts';

/** A page for somebody who follows a link of a mail. */
export interface Page {
  status: number;
  html: string;
  /** What the page may do: show its own style and the logo, and send its form here. */
  policy: string;
}

/** HTML that is safe as it stands. `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | Html | readonly Html[] | null;

/** HTML from a template; text in it is escaped. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(
    strings.map((text, at) => text + (at < pieces.length ? written(pieces[at] ?? null) : '')).join(''),
  );

function written(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string') return escapeHtml(piece);
  return piece instanceof Html ? piece.text : piece.map(({ text }) => text).join('');
}

/** The whole page. Without a business it says nothing of anybody. */
export function pageOf(
  business: Business | null,
  { title, body, status = 200 }: { title: string; body: Html; status?: number },
): Page {
  const styles = stylesOf(business?.brand ?? {});
  const whole = html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${business?.name ? `${title} · ${business.name}` : title}</title>
<style>${new Html(styles)}</style>
</head>
<body>
<main>
${business && headOf(business)}
<h1>${title}</h1>
${body}
</main>
${business && footOf(business)}
</body>
</html>
`;
  return { status, html: whole.text, policy: policyOf(styles) };
}

function headOf({ name, brand }: Business): Html {
  const { logo, logoAlt } = brand;
  return logo && /^https?:\/\//i.test(logo)
    ? html`<p class="logo"><img src="${logo}" alt="${logoAlt || name}"></p>`
    : html`<p class="name">${name}</p>`;
}

function footOf({ name, postalAddress }: Business): Html {
  const lines = postalAddress.split(/\r?\n/).filter((line) => line.trim() !== '');
  return html`<footer><address>${name}${lines.map((line) => html`<br>${line}`)}</address></footer>`;
}

function policyOf(styles: string): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  return (
    `default-src 'none'; style-src 'sha256-${hash}'; img-src https: http: data:; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'"
  );
}
