import type { Block } from '../../rules/document/places.ts';

export type TextBlock = Extract<Block, { type: 'text' | 'heading' }>;

/** Whether the words of a block are written where they stand. */
export const mayWrite = (block: Block | undefined): block is TextBlock =>
  block?.type === 'text' || block?.type === 'heading';
