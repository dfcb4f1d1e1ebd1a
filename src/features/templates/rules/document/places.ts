import type { ColumnsBlock, SingleBlock, TemplateDocument } from './schema.ts';

export type Block = SingleBlock | ColumnsBlock;

/** What holds blocks: a column, or (null) the document itself. */
export type BlockList = { columnsId: string; column: number } | null;

/** Where a block stands, or would stand: before the block that is there now. */
export interface Place {
  list: BlockList;
  at: number;
}

/** As the schema has it. Together with those in columns, see `mostBlocks` there. */
export const mostRows = 200;
export const mostInColumn = 30;

export function blocksIn({ blocks }: TemplateDocument, list: BlockList): readonly Block[] {
  if (list === null) return blocks;
  const holder = blocks.find(({ id }) => id === list.columnsId);
  return (holder?.type === 'columns' && holder.columns[list.column]) || [];
}

/** Every list of a document: itself first, then the columns from left to right. */
export function listsOf({ blocks }: TemplateDocument): BlockList[] {
  const columns = blocks.flatMap((block) =>
    block.type === 'columns' ? block.columns.map((_, column) => ({ columnsId: block.id, column })) : [],
  );
  return [null, ...columns];
}

export interface Found {
  block: Block;
  place: Place;
}

export function findBlock(document: TemplateDocument, id: string): Found | undefined {
  for (const list of listsOf(document)) {
    const blocks = blocksIn(document, list);
    const at = blocks.findIndex((block) => block.id === id);
    const block = blocks[at];
    if (block) return { block, place: { list, at } };
  }
  return undefined;
}

export const isSameList = (one: BlockList, other: BlockList): boolean =>
  one === other ||
  (one !== null && other !== null && one.columnsId === other.columnsId && one.column === other.column);

export type Direction = 'up' | 'down' | 'left' | 'right';

/**
 * Where a block goes next. Up and down keep it in its list. Right takes it into the columns that
 * are nearest, to the next column, and out below the last one; left takes it back, and out above
 * the first one. Undefined: it can go no further.
 */
export function placeBeside(document: TemplateDocument, id: string, to: Direction): Place | undefined {
  const found = findBlock(document, id);
  if (!found) return undefined;
  const { list, at } = found.place;
  if (to === 'up') return at > 0 ? { list, at: at - 1 } : undefined;
  if (to === 'down') return at < blocksIn(document, list).length - 1 ? { list, at: at + 2 } : undefined;
  return list === null ? placeInside(document, found, to) : placeAcross(document, list, at, to);
}

/** Into the columns after the block, or else those before it; for left, the other way round. */
function placeInside(
  { blocks }: TemplateDocument,
  { block, place }: Found,
  to: Direction,
): Place | undefined {
  if (block.type === 'columns') return undefined;
  const isColumns = (other: Block): other is ColumnsBlock => other.type === 'columns';
  const after = blocks.slice(place.at + 1).find(isColumns);
  const before = blocks.slice(0, place.at).findLast(isColumns);
  const into = to === 'right' ? (after ?? before) : (before ?? after);
  if (!into) return undefined;
  const column = into === before ? into.columns.length - 1 : 0;
  const at = into === before ? (into.columns[column]?.length ?? 0) : 0;
  return { list: { columnsId: into.id, column }, at };
}

function placeAcross(
  document: TemplateDocument,
  list: NonNullable<BlockList>,
  at: number,
  to: Direction,
): Place | undefined {
  const holder = findBlock(document, list.columnsId);
  if (holder?.block.type !== 'columns') return undefined;
  const column = list.column + (to === 'right' ? 1 : -1);
  const beside = holder.block.columns[column];
  if (beside) return { list: { ...list, column }, at: Math.min(at, beside.length) };
  return { list: null, at: holder.place.at + (to === 'right' ? 1 : 0) };
}
