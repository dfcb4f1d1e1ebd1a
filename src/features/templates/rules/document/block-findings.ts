import { compileTemplate } from '../compile.ts';
import type { ColumnsBlock, SingleBlock, TemplateDocument } from './schema.ts';

/** A merge field or a piece of Liquid that is wrong, in a block. */
export interface BlockFinding {
  words: string;
  block: string;
  /** A problem keeps the template from being filled. */
  isProblem: boolean;
}

/**
 * What is wrong with a document, block by block: its Liquid, and links that lead nowhere. Blocks
 * are read one by one, so a condition begins and ends in the same block.
 */
export function blockFindings({ blocks }: TemplateDocument, known: readonly string[]): BlockFinding[] {
  return allBlocks(blocks).flatMap((block) => [...fieldFindings(block, known), ...emptyLinks(block)]);
}

/** Links that are still to come. The HTML shows none of them, because MJML writes no link then. */
function emptyLinks(block: SingleBlock): BlockFinding[] {
  const finding = (words: string) => ({ words, block: block.id, isProblem: false });
  if (block.type === 'button' && block.href === '')
    return [finding(`The button “${block.label}” leads nowhere: give it a link.`)];
  if (block.type === 'product' && block.href === '' && (block.label || block.src))
    return [finding(`“${block.name}” leads nowhere: give it a link.`)];
  if (block.type === 'social' && block.links.some(({ href }) => href === ''))
    return [finding('A link to a network leads nowhere: give it an address, or take it away.')];
  return [];
}

function fieldFindings(block: SingleBlock, known: readonly string[]): BlockFinding[] {
  return wordsOf(block).flatMap((html) => {
    const { problems, fields } = compileTemplate({ subject: '', preheader: '', html, text: '' }, known);
    return [
      ...problems.map(({ words }) => ({ words, block: block.id, isProblem: true })),
      ...fields.flatMap(({ name, isKnown, meant }) => {
        if (isKnown) return [];
        const words = `No contact has the field “${name}”.${meant ? ` Did you mean “${meant}”?` : ''}`;
        return [{ words, block: block.id, isProblem: false }];
      }),
    ];
  });
}

/** The blocks of a document, with those in columns. */
export const allBlocks = (blocks: readonly (SingleBlock | ColumnsBlock)[]): SingleBlock[] =>
  blocks.flatMap((block) => (block.type === 'columns' ? block.columns.flat() : [block]));

/** All strings of a block that may hold Liquid. */
const wordsOf = ({ id, type, ...block }: SingleBlock): string[] =>
  stringsIn(block).filter((text) => /\{[{%]/.test(text));

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
