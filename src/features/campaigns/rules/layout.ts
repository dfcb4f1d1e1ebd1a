import { spansOf } from '#features/templates/rules/liquid/spans.ts';
import { escapeHtml } from '#features/templates/rules/liquid/values.ts';
import type { WrittenTemplate } from './campaign.ts';

/** The colours of the workspace's brand, as far as it has some. */
export interface LayoutLook {
  accent: string;
  onAccent: string;
  paper: string;
  ground: string;
  ink: string;
  font: string;
}

export const plainLook: LayoutLook = {
  accent: '#0f6b7a',
  onAccent: '#ffffff',
  paper: '#ffffff',
  ground: '#f3f5f6',
  ink: '#1c2529',
  font: 'Helvetica, Arial, sans-serif',
};

const isWhole = (content: string): boolean => /<(?:!doctype|html|body)[\s>]/i.test(content);
export const isHtml = (content: string): boolean => /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i.test(content);

/** Plain text as paragraphs: an empty line begins a new one. Liquid stays as it is written. */
export function paragraphs(text: string, opening = '<p style="margin:0 0 16px">'): string {
  return text
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)
    .map((one) => `${opening}${escapedText(one.trim()).replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('\n');
}

/** The text as HTML. Liquid in it stays as it is written. */
function escapedText(text: string): string {
  let html = '';
  let at = 0;
  for (const { start, end } of spansOf(text).spans) {
    html += escapeHtml(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

/**
 * Whether the content says by itself how somebody leaves, or who writes. Nobody reads comments, of
 * HTML or of Liquid.
 */
function names(content: string, field: string): boolean {
  const shown = content.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const written = new RegExp(`^\\{\\{-?\\s*${field}\\b`);
  return spansOf(shown).spans.some(({ start, end }) => written.test(shown.slice(start, end)));
}

/**
 * The whole email of a campaign: its content in a layout, with a footer that says who writes and
 * how to leave, unless the content says so itself. The content may be plain text, a piece of HTML,
 * or a whole page, which keeps its own looks.
 */
export function wholeEmail(content: string, template: WrittenTemplate | 'custom', look = plainLook): string {
  const footer = footerFor(content, look);
  if (isWhole(content)) {
    const end = content.search(/<\/body>/i);
    return end === -1 ? content + footer : content.slice(0, end) + footer + content.slice(end);
  }
  const inner = isHtml(content) ? content : paragraphs(content);
  return page(layouts[template === 'custom' ? 'simple' : template](inner, look) + footer, look);
}

function footerFor(content: string, { ink, font }: LayoutLook): string {
  const leaves = names(content, 'unsubscribe_link');
  const says = names(content, 'company_address');
  if (leaves && says) return '';
  const lines = [
    ...(says ? [] : ['{{ company_name }}<br>{{ company_address | newline_to_br }}']),
    ...(leaves
      ? []
      : [
          `<a href="{{ unsubscribe_link }}" style="color:${ink}">Unsubscribe</a> · <a href="{{ preferences_link }}" style="color:${ink}">Change what you get</a>`,
        ]),
  ];
  return `
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:16px 24px 32px;font:13px/1.5 ${font};color:${ink}">${lines.join('<br>')}</td></tr></table>
`;
}

const page = (inner: string, { ground, ink, font }: LayoutLook): string => `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{ subject }}</title></head>
<body style="margin:0;background:${ground};color:${ink};font:16px/1.6 ${font}">
${inner}</body>
</html>
`;

const box = (inner: string, { paper }: LayoutLook, style = ''): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px 0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:${paper};${style}">${inner}</table>
</td></tr></table>`;
const row = (inner: string, style = ''): string => `<tr><td style="padding:32px;${style}">${inner}</td></tr>`;
const title = (size: number, colour: string): string =>
  `<h1 style="margin:0;font-size:${size}px;line-height:1.25;color:${colour}">{{ subject }}</h1>`;

const layouts: Record<WrittenTemplate, (inner: string, look: LayoutLook) => string> = {
  simple: (inner, look) => box(row(inner), look),
  newsletter: (inner, look) =>
    box(
      row('<b>{{ company_name }}</b>', `padding:16px 32px;color:${look.onAccent};background:${look.accent}`) +
        row(`${title(26, look.ink)}<div style="height:16px"></div>${inner}`),
      look,
    ),
  promotional: (inner, look) =>
    box(
      row(title(34, look.onAccent), `padding:48px 32px;text-align:center;background:${look.accent}`) +
        row(inner, 'text-align:center'),
      look,
    ),
  announcement: (inner, look) =>
    box(
      row(`${title(24, look.ink)}<div style="height:16px"></div>${inner}`),
      look,
      `border-left:4px solid ${look.accent}`,
    ),
};
