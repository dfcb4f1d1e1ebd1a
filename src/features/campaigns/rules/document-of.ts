import { newBlock } from '#features/templates/rules/document/new-block.ts';
import {
  type Brand,
  sentDocument,
  type TemplateDocument,
  withBrand,
} from '#features/templates/rules/document/schema.ts';
import { isHtml, paragraphs } from './layout.ts';

/** Plain text or a piece of HTML as a document of the visual editor, in the look of the brand. */
export function documentOf(content: string, brand: Brand): TemplateDocument {
  let blocks = 0;
  const newId = () => `block-${++blocks}`;
  const body = isHtml(content)
    ? { ...newBlock('html', { newId }), html: content }
    : { ...newBlock('text', { newId }), ...(content.trim() ? { html: paragraphs(content, '<p>') } : {}) };
  return withBrand(sentDocument.parse({ version: 1, blocks: [body, newBlock('footer', { newId })] }), brand);
}
