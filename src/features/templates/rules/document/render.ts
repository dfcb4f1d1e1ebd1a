import mjml2html from 'mjml-browser';
import { cleanHtml } from '../html/clean.ts';
import { templateDocument } from './schema.ts';
import { type MjmlOptions, toMjml } from './to-mjml.ts';

/**
 * The HTML of a document, the same in the browser and on the server. Throws for what is no
 * document.
 */
export async function renderDocument(document: unknown, options: MjmlOptions = {}): Promise<string> {
  const { html, errors } = await mjml2html(toMjml(templateDocument.parse(document), options), {
    validationLevel: 'soft',
    fonts: {},
  });
  const [error] = errors;
  if (error) throw new Error(`The document has no HTML: ${error.formattedMessage}`);
  // It takes nothing out of a document, and writes what MJML makes of its MJML in the same way.
  return cleanHtml(html).html;
}
