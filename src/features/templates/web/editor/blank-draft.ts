import { newBlock } from '../../rules/document/new-block.ts';
import { templateDocument } from '../../rules/document/schema.ts';
import { newId } from '../visual/new-id.ts';
import type { Draft } from './content.ts';

/** A message with a heading, some words, a button, and the footer that every message needs. */
export function blankDraft(): Draft {
  const blocks = (['heading', 'text', 'button', 'footer'] as const).map((type) => newBlock(type, { newId }));
  return {
    name: '',
    description: '',
    category: 'custom',
    textContent: '',
    content: { mode: 'visual', document: templateDocument.parse({ version: 1, blocks }) },
  };
}
