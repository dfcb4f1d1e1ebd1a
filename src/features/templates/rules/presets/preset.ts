import type { TemplateCategory } from '../categories.ts';
import type { PresetKind } from '../preset-kinds.ts';
import { type Email, email } from './blocks.ts';

export interface Preset {
  id: string;
  name: string;
  kind: PresetKind;
  category: TemplateCategory;
  description: string;
  htmlContent: string;
  textContent: string;
}

export const preset = (
  given: Omit<Preset, 'htmlContent' | 'textContent'>,
  { ...content }: Email,
): Preset => ({ ...given, ...email(content) });
