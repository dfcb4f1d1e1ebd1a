import type { BlockType } from './block-words.ts';
import type { NewId } from './edits.ts';
import { placeholders } from './placeholders.ts';
import type { Block } from './places.ts';
import { templateDocument } from './schema.ts';

/** What an own logo is. Absent: a new logo has no picture yet. */
export interface LogoPicture {
  src: string;
  alt: string;
}

/**
 * What a block begins with: enough to be seen, and nothing that could be sent by mistake unseen.
 */
function startOf(type: BlockType, columns: number, logo: LogoPicture | undefined): Record<string, unknown> {
  switch (type) {
    case 'text':
      return { html: `<p>${placeholders.text}</p>` };
    case 'heading':
      return { html: placeholders.heading, level: 2 };
    case 'image':
      return { src: '', alt: '' };
    case 'logo':
      return { src: logo?.src ?? '', alt: logo?.alt ?? '', width: 160 };
    case 'button':
      return { label: 'Find out more', href: '' };
    case 'divider':
      return {};
    case 'spacer':
      return { height: 24 };
    case 'social':
      return { links: [{ network: 'facebook', href: '' }] };
    case 'menu':
      return { links: ['Shop', 'About us', 'Contact'].map((label) => ({ label, href: '' })) };
    case 'product':
      return { name: placeholders.product, price: '£0.00', label: 'Buy now', href: '' };
    case 'footer':
      return { preferences: 'Choose what we send' };
    case 'html':
      return { html: '' };
    case 'columns':
      return { columns: Array.from({ length: columns }, () => []) };
  }
}

interface NewBlockOptions {
  newId: NewId;
  /** How many columns, for columns. */
  columns?: number | undefined;
  logo?: LogoPicture | undefined;
}

export function newBlock(type: BlockType, { newId, columns = 2, logo }: NewBlockOptions): Block {
  const block = { ...startOf(type, columns, logo), id: newId(), type };
  const [made] = templateDocument.parse({ version: 1, blocks: [block] }).blocks;
  if (!made) throw new Error(`No block of type ${type} was made.`);
  return made;
}
