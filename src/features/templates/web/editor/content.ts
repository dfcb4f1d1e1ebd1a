import type { Template, templateModes } from '../../contract.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';

export type TemplateMode = (typeof templateModes)[number];

/** What a template is written in: one of three. */
export type Content =
  | { mode: 'html'; htmlContent: string }
  | { mode: 'mjml'; mjml: string }
  | { mode: 'visual'; document: TemplateDocument };

/** What the editor keeps of a template until it is saved. */
export interface Draft {
  name: string;
  description: string;
  category: Template['category'];
  /** The text version. Empty: made from the HTML. */
  textContent: string;
  content: Content;
}

type Written = Pick<Template, 'mode' | 'htmlContent' | 'mjml' | 'document'>;

export function contentOf({ mode, htmlContent, mjml, document }: Written): Content {
  if (mode === 'visual' && document) return { mode, document };
  if (mode === 'mjml') return { mode, mjml: mjml ?? '' };
  return { mode: 'html', htmlContent };
}

export const draftOf = (template: Template): Draft => ({
  name: template.name,
  description: template.description ?? '',
  category: template.category,
  textContent: template.textContent ?? '',
  content: contentOf(template),
});

/**
 * Whether two drafts say the same. Typing replaces what it changes, so most of it is the same
 * object.
 */
export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one === other ||
  (one.name === other.name &&
    one.description === other.description &&
    one.category === other.category &&
    one.textContent === other.textContent &&
    (one.content === other.content || JSON.stringify(one.content) === JSON.stringify(other.content)));

/** A draft as the calls take it. */
export const bodyOf = ({ content, description, textContent, ...named }: Draft) => ({
  ...named,
  description: description.trim() || null,
  textContent: textContent.trim() === '' ? null : textContent,
  ...content,
});

/** What `POST /api/templates/switch` takes. */
export const writtenIn = ({ mode: _, ...written }: Content) => written;
