import { z } from 'zod';
import { templateCategories } from '../rules/categories.ts';
import { sentDocument } from '../rules/document/schema.ts';

export const longestTemplateName = 120;
const longestDescription = 1000;
/** Bytes of UTF-8. Ten times what Gmail shows before it cuts a message off. */
const largestHtml = 1_000_000;
const largestText = 200_000;
/** Half of what HTML may have: MJML makes about four times as much of itself. */
const largestMjml = 500_000;
const largestDocument = 500_000;

/** Ways to write a template. */
export const templateModes = ['html', 'mjml', 'visual'] as const;
export type TemplateMode = (typeof templateModes)[number];

const tooLarge = 'The HTML is larger than 1 MB. Take something out of it.';

/** Bytes of UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

export const name = z
  .string({ error: 'Template name is required' })
  .trim()
  .min(1, 'Template name is required')
  .max(longestTemplateName, `The name of a template has at most ${longestTemplateName} characters.`)
  .regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, 'A name is one line of plain text.')
  .describe(`1 to ${longestTemplateName} characters. Two templates may have the same name.`);
export const description = z
  .string()
  .trim()
  .max(longestDescription, 'A description has at most 1,000 characters.')
  .nullable()
  .describe('Null or empty: none.');
export const category = z.enum(templateCategories, {
  error: ({ input }) => (input === undefined || input === '' ? 'Category is required' : undefined),
});
export const htmlContent = z
  .string({ error: 'HTML content is required' })
  .refine((html) => html.trim() !== '', 'HTML content is required')
  .refine((html) => bytesOf(html) <= largestHtml, tooLarge)
  .describe('At most 1 MB (1,000,000 bytes of UTF-8).');
export const textContent = z
  .string()
  .refine((text) => bytesOf(text) <= largestText, 'The text version is larger than 200 kB.')
  .nullable()
  .describe('For readers without HTML. Null or empty: none of its own. At most 200 kB.');

export const previewedHtml = z.string().refine((html) => bytesOf(html) <= largestHtml, tooLarge);
export const mjml = z
  .string({ error: 'MJML is required' })
  .refine((source) => source.trim() !== '', 'MJML is required')
  .refine(
    (source) => bytesOf(source) <= largestMjml,
    'The MJML is larger than 500 kB. Take something out of it.',
  )
  .describe('At most 500 kB. It includes no other files.');
export const document = sentDocument.refine(
  (given) => bytesOf(JSON.stringify(given)) <= largestDocument,
  'The document is larger than 500 kB. Take something out of it.',
);

interface Sent {
  mode?: TemplateMode | undefined;
  htmlContent?: unknown;
  mjml?: unknown;
  document?: unknown;
}

/** What each mode is written in. */
export const contentFields = { html: 'htmlContent', mjml: 'mjml', visual: 'document' } as const;

/** The mode that a body means by what it holds. */
export function modeOf({ mode, ...sent }: Sent): TemplateMode | undefined {
  if (mode && templateModes.includes(mode)) return mode;
  return templateModes.find((one) => sent[contentFields[one]] != null);
}

const needed = {
  html: 'HTML content is required',
  mjml: 'MJML is required',
  visual: 'A document is required',
} as const;

/** Content is asked for together with the name and the category, not after them. */
export const alsoBesideOthers = { when: () => true };

/**
 * A template is written in one way: content of another mode beside it would be lost. Null is
 * nothing, so what was read can be sent back.
 */
export function refuseMixed(sent: Sent, context: z.RefinementCtx, isWhole: boolean): void {
  if (typeof sent !== 'object' || sent === null) return;
  const mode = modeOf(sent);
  for (const other of templateModes) {
    if (other === mode || sent[contentFields[other]] == null) continue;
    const message = `In the mode ${mode}, send ${contentFields[mode ?? 'html']} and no ${contentFields[other]}.`;
    context.addIssue({ code: 'custom', path: [contentFields[other]], message });
  }
  const field = contentFields[mode ?? 'html'];
  if (isWhole && sent[field] == null)
    context.addIssue({ code: 'custom', path: [field], message: needed[mode ?? 'html'] });
}
