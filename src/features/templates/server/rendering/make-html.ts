import { AppError } from '#platform/shared/errors.ts';
import { contentFields, type TemplateMode } from '../../contract/content.ts';
import {
  type Brand,
  type SentDocument,
  type TemplateDocument,
  withBrand,
} from '../../rules/document/schema.ts';
import { refuseDeep } from '../../rules/html/parsed.ts';
import { hasLeavingLink } from '../../rules/leaving-link.ts';
import type { RenderedMjml } from '../../rules/mjml/render.ts';
import { type Content, type Switched, switched } from '../../rules/switch-content.ts';
import type { TemplateContent } from '../queries.ts';
import { type RenderGuest, renderApart } from './render-process.ts';

/** What a version keeps of its content. */
export type Made = Pick<TemplateContent, 'mode' | 'source' | 'htmlContent'>;

/** The same, with what its MJML had that a mail cannot hold, where that is known. */
export type Remade = Made & { leftOut?: RenderedMjml['leftOut'] };

interface Sent {
  htmlContent?: string | null | undefined;
  mjml?: string | null | undefined;
  document?: SentDocument | null | undefined;
}

/** What a body holds to make HTML of. Null: nothing. */
export function contentOf({ htmlContent, mjml, document }: Sent): Content | null {
  if (document != null) return { mode: 'visual', document };
  if (mjml != null) return { mode: 'mjml', mjml };
  return htmlContent == null ? null : { mode: 'html', htmlContent };
}

/** What a stored template is written in. */
export function storedContent({ mode, source, htmlContent }: Made): Content {
  if (mode === 'visual') return { mode, document: source as TemplateDocument };
  return mode === 'mjml' ? { mode, mjml: source as string } : { mode, htmlContent };
}

/** Bytes. HTML that is sent has the same limit. */
const largestHtml = 1_000_000;

/**
 * Content with its HTML. Throws `invalid_input` with line and words when MJML cannot be read, when
 * a document has no way to unsubscribe, and when the HTML is too large or too deep.
 */
export async function madeOf(guest: RenderGuest, content: Content, brand: Brand): Promise<Remade> {
  const made = await htmlOf(guest, content, brand);
  refuseDeep(made.htmlContent);
  if (made.mode === 'visual') refuseWithoutLink(made.htmlContent);
  if (Buffer.byteLength(made.htmlContent) > largestHtml) {
    const message = 'This makes more than 1 MB of HTML. Take something out of it.';
    throw refusal(contentFields[content.mode], message);
  }
  return made;
}

/**
 * Content with its HTML, which may be too large or without a link. Throws for MJML that cannot be
 * read.
 */
export async function htmlOf(guest: RenderGuest, content: Content, brand: Brand): Promise<Remade> {
  if (content.mode === 'html') return { mode: 'html', source: null, htmlContent: content.htmlContent };
  if (content.mode === 'visual') {
    const document = withBrand(content.document, brand);
    const htmlContent = await renderApart(guest, 'document', document);
    return { mode: 'visual', source: document, htmlContent };
  }
  const { html, faults, leftOut } = await renderApart(guest, 'mjml', content.mjml);
  const [first] = faults;
  if (first) {
    const message = first.line === null ? first.words : `Line ${first.line}: ${first.words}`;
    const more = faults.length > 1 ? ` There are ${faults.length} such places.` : '';
    throw refusal('mjml', message + more);
  }
  return { mode: 'mjml', source: content.mjml, htmlContent: html, leftOut };
}

const refusal = (field: string, message: string): AppError =>
  new AppError('invalid_input', message, { fields: { [field]: message } });

/** Whoever writes in blocks sees no HTML to put a forgotten link into. */
function refuseWithoutLink(html: string): void {
  if (hasLeavingLink(html)) return;
  const message =
    'Nobody could unsubscribe: keep the footer, or link to {{ unsubscribe_link }} in another block.';
  throw refusal('document', message);
}

/** Content in another mode. Throws `invalid_input` when it is too large for it. */
export function switchedTo(content: Content, html: string, to: TemplateMode): Switched {
  const largest = to === 'visual' ? 200_000 : 400_000;
  if (content.mode !== to && to !== 'html' && content.mode !== 'visual' && html.length > largest) {
    const message = `The HTML has more than ${largest / 1000},000 characters, which is too much for this.`;
    throw refusal(contentFields[content.mode], message);
  }
  return switched(content, html, to);
}
