import { newBlock } from '../../rules/document/new-block.ts';
import { templateDocument } from '../../rules/document/schema.ts';
import { toMjml } from '../../rules/document/to-mjml.ts';
import { newId } from '../visual/new-id.ts';
import type { EditorBrand } from '../visual/visual-props.ts';
import type { Draft } from './content.ts';

/**
 * A message with a heading, some words, a button, and the footer that every message needs, as the
 * brand looks.
 */
export function blankDraft(
  { look, logo }: Pick<EditorBrand, 'look' | 'logo'> = { look: {} },
  as: 'visual' | 'mjml' = 'visual',
): Draft {
  const types = [...(logo ? (['logo'] as const) : []), 'heading', 'text', 'button', 'footer'] as const;
  const blocks = types.map((type) => newBlock(type, { newId, logo }));
  const document = templateDocument.parse({ version: 1, look, blocks });
  return {
    name: '',
    description: '',
    category: 'custom',
    textContent: '',
    content: as === 'mjml' ? { mode: 'mjml', mjml: toMjml(document) } : { mode: 'visual', document },
  };
}
