import { attribute } from './document/rich-text.ts';
import { type SentDocument, type TemplateDocument, templateDocument } from './document/schema.ts';
import { toMjml } from './document/to-mjml.ts';
import { masked, spansOf } from './liquid/spans.ts';
import { slotsOf } from './slots.ts';

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
  const { bodyStart } = slotsOf(masked(html, spansOf(html).spans));
  const rest = html.slice(bodyStart ?? 0);
  const end = rest.search(/<\/body\s*>/i);
  return end < 0 ? rest : rest.slice(0, end);
}

const titleOf = (html: string): string => /<title[^<>]*>([^<]{0,200})/i.exec(html)?.[1]?.trim() ?? '';

/** HTML without its style sheets, and what they hold. */
function partedStyles(html: string): { bare: string; sheets: string[] } {
  const opening = /<style\b[^<>]*>/gi;
  const closing = /<\/style\s*>/gi;
  const sheets: string[] = [];
  let bare = '';
  let done = 0;
  while (true) {
    opening.lastIndex = done;
    const start = opening.exec(html);
    if (start) closing.lastIndex = opening.lastIndex;
    const end = start && closing.exec(html);
    if (!end) return { bare: bare + html.slice(done), sheets };
    sheets.push(html.slice(opening.lastIndex, end.index));
    bare += html.slice(done, start.index);
    done = closing.lastIndex;
  }
}

/** Style sheets stay: MJML has a place for them. */
function mjmlAround(html: string): string {
  const { sheets } = partedStyles(html);
  const { bare } = partedStyles(bodyOf(html));
  return [
    '<mjml><mj-head>',
    `<mj-title>${attribute(titleOf(html) || 'Email')}</mj-title>`,
    ...sheets.map((css) => `<mj-style>${css}</mj-style>`),
    '</mj-head><mj-body><mj-raw>',
    bare,
    '</mj-raw></mj-body></mjml>',
  ].join('\n');
}

const documentAround = (html: string): TemplateDocument =>
  templateDocument.parse({
    version: 1,
    title: titleOf(html),
    blocks: [{ id: 'html', type: 'html', html: bodyOf(html) }],
  });
