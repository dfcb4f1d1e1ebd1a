import { z } from 'zod';
import { type NewId, withNewIds } from './edits.ts';
import type { Block } from './places.ts';
import { templateDocument } from './schema.ts';

/**
 * A block on its way through the clipboard, as JSON in plain text. So it reaches another template,
 * another tab or another person, and every program can hold it.
 */
const copied = z.strictObject({ emailBlock: z.literal(1), block: z.unknown() });

export const copiedText = (block: Block): string => JSON.stringify({ emailBlock: 1, block });

/** Longer text is no block: it is not even read. */
const longest = 1_000_000;

/**
 * The block that a text holds, with ids of its own. Null: it holds none, or one that is not right.
 */
export function blockFrom(text: string, newId: NewId): Block | null {
  if (text.length > longest || !text.trimStart().startsWith('{')) return null;
  const outer = copied.safeParse(parsed(text));
  if (!outer.success) return null;
  const document = templateDocument.safeParse({ version: 1, blocks: [outer.data.block] });
  const block = document.success ? document.data.blocks[0] : undefined;
  return block ? withNewIds(block, newId) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Any text may be in the clipboard.
    return undefined;
  }
}
