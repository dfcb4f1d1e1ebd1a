import type { TemplateCategory } from '../categories.ts';
import type { TemplateDocument } from '../document/schema.ts';
import type { PresetKind } from '../preset-kinds.ts';
import { type Email, email, type Look } from './blocks.ts';

export interface Preset {
  id: string;
  name: string;
  kind: PresetKind;
  category: TemplateCategory;
  description: string;
  /** Its own colours, which those of a brand take the place of. */
  look: Look;
  document: TemplateDocument;
}

export const preset = (given: Omit<Preset, 'look' | 'document'>, content: Email): Preset => ({
  ...given,
  look: content.look,
  document: email(given.name, content),
});
