import { attribute } from './document/rich-text.ts';
import { type SentDocument, type TemplateDocument, templateDocument } from './document/schema.ts';
import { toMjml } from './document/to-mjml.ts';

/** What a template is written in. */
export type Content =
  | { mode: 'html'; htmlContent: string }
  | { mode: 'mjml'; mjml: string }
  | { mode: 'visual'; document: SentDocument };

export interface Switched {
  content: Content;
  /** What is different afterwards. Null: nothing. */
  words: string | null;
}

/**
 * The content in another mode. `html` is what it renders as. A document becomes the MJML it is made
 * through, and both become their HTML, so the message stays the same to the letter. HTML says
 * nothing of blocks: it becomes one block of HTML.
 */
export function switched(content: Content, html: string, to: Content['mode']): Switched {
  if (content.mode === to) return { content, words: null };
  if (to === 'html') return { content: { mode: 'html', htmlContent: html }, words: null };
  if (content.mode === 'visual')
    return { content: { mode: 'mjml', mjml: toMjml(templateDocument.parse(content.document)) }, words: null };
  if (to === 'mjml') return { content: { mode: 'mjml', mjml: mjmlAround(html) }, words: oneRaw };
  return { content: { mode: 'visual', document: documentAround(html) }, words: oneBlock };
}

const oneRaw = 'The message becomes one <mj-raw> of HTML. What its <body> element says is left out.';
const oneBlock =
  'The message becomes one block of HTML. Its style sheets are left out, and with them what they say for phones.';

/** The part of a page that is shown. */
function bodyOf(html: string): string {
  const start = /<body\b(?:"[^"]*"|'[^']*'|[^>"'])*>/i.exec(html);
  const rest = start ? html.slice(start.index + start[0].length) : html;
  const end = rest.search(/<\/body\s*>/i);
  return end < 0 ? rest : rest.slice(0, end);
}

const titleOf = (html: string): string => /<title[^>]*>([^<]{0,200})/i.exec(html)?.[1]?.trim() ?? '';

/** Style sheets stay: MJML has a place for them. */
function mjmlAround(html: string): string {
  const styles = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)].map(([, css]) => css ?? '');
  const body = bodyOf(html).replace(/<style\b[^>]*>[\s\S]*?<\/style\s*>/gi, '');
  return [
    '<mjml><mj-head>',
    `<mj-title>${attribute(titleOf(html) || 'Email')}</mj-title>`,
    ...styles.map((css) => `<mj-style>${css}</mj-style>`),
    '</mj-head><mj-body><mj-raw>',
    body,
    '</mj-raw></mj-body></mjml>',
  ].join('\n');
}

const documentAround = (html: string): TemplateDocument =>
  templateDocument.parse({
    version: 1,
    title: titleOf(html),
    blocks: [{ id: 'html', type: 'html', html: bodyOf(html) }],
  });
