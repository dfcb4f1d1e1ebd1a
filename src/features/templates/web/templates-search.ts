import { z } from 'zod';
import { choiceField, idField, pageField } from '#platform/web/url-state.ts';
import { templateCategories } from '../rules/categories.ts';
import { presetKinds } from '../rules/preset-kinds.ts';

const presetField = z
  .string()
  .regex(/^[a-z-]{1,60}$/)
  .optional()
  .catch(undefined);

/** The screen's address: the search and the category, the presets that show, and what is open. */
export const templatesSearch = z.object({
  page: pageField,
  search: z.string().max(320).catch(''),
  category: z.enum(templateCategories).optional().catch(undefined),
  presets: choiceField(presetKinds),
  /** How to begin, the form for HTML, or the import. */
  dialog: z.enum(['begin', 'new', 'import']).optional().catch(undefined),
  /** With the form: the preset that it begins with. */
  use: presetField,
  /** The preset that is looked at. */
  preset: presetField,
  /** The template that is looked at, changed, or whose versions are shown. */
  preview: idField,
  edit: idField,
  versions: idField,
  /** The contact for whom the template that is looked at is filled. */
  contact: idField,
});
export type TemplatesState = z.output<typeof templatesSearch>;
export type ChangeTemplates = (patch: Partial<TemplatesState>, options?: { replace?: boolean }) => void;

/** The editor's address: what a new template is written in. */
export const editorSearch = z.object({ as: choiceField(['visual', 'mjml']) });
