import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';
import { templateCategories } from '../rules/categories.ts';
import { templateDocument } from '../rules/document/schema.ts';
import { presetKinds } from '../rules/preset-kinds.ts';

const preset = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(presetKinds).describe('For whom it was written.'),
  category: z.enum(templateCategories),
  description: z.string(),
  document: templateDocument.describe('What a template made from it begins with.'),
  htmlContent: z.string(),
  textContent: z.string(),
});
export type TemplatePreset = z.output<typeof preset>;

export const listTemplatePresets = endpoint({
  method: 'GET',
  path: '/api/templates/presets',
  access: access.member('viewer', 'templates:read'),
  summary: 'Complete emails to begin with, in the colours and with the logo of the brand.',
  tag: 'Templates',
  response: z.object({ items: z.array(preset) }),
});
