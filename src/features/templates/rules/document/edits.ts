import {
  type Block,
  type BlockList,
  blocksIn,
  findBlock,
  isSameList,
  listsOf,
  mostInColumn,
  mostRows,
  type Place,
} from './places.ts';
import { type ColumnsBlock, mostBlocks, type SingleBlock, type TemplateDocument } from './schema.ts';

/** Makes an id that no block has. Passed in, as all randomness is. */
export type NewId = () => string;

/** Why a block may not stand in a list, as a sentence. Null: it may. */
export function whyNotInsert(
  document: TemplateDocument,
  list: BlockList,
  block: Block,
  isThere = false,
): string | null {
  if (list !== null && block.type === 'columns') return 'Columns cannot stand in a column.';
  if (isThere) return null;
  const isFull = list === null && document.blocks.length >= mostRows;
  if (list !== null && blocksIn(document, list).length >= mostInColumn)
    return `A column has at most ${mostInColumn} blocks.`;
  if (isFull) return `An email has at most ${mostRows} blocks below each other.`;
  const all = listsOf(document).reduce((sum, one) => sum + blocksIn(document, one).length, 0);
  const more = block.type === 'columns' ? 1 + block.columns.flat().length : 1;
  return all + more > mostBlocks ? `An email has at most ${mostBlocks} blocks.` : null;
}

/**
 * Why a block may not go, as a sentence. A footer stays while nothing else leads to unsubscribing:
 * PECR wants a way out in every message.
 */
export function whyNotRemove(document: TemplateDocument, id: string): string | null {
  const found = findBlock(document, id);
  if (!found || !hasFooter(found.block)) return null;
  return leadsOut(removeBlock(document, id))
    ? null
    : 'The footer holds the only unsubscribe link. Add another one first.';
}

const hasFooter = (block: Block): boolean =>
  block.type === 'footer' || (block.type === 'columns' && block.columns.flat().some(hasFooter));

/** A footer that only some contacts or screens see does not help the others. */
const hasFooterForAll = (block: Block): boolean =>
  block.showWhen === undefined &&
  block.showOn === undefined &&
  (block.type === 'footer' || (block.type === 'columns' && block.columns.flat().some(hasFooterForAll)));

function leadsOut(document: TemplateDocument): boolean {
  return (
    document.blocks.some(hasFooterForAll) || /\bunsubscribe_link\b/.test(JSON.stringify(document.blocks))
  );
}

export function insertBlock(document: TemplateDocument, { list, at }: Place, block: Block): TemplateDocument {
  return withBlocks(document, list, (blocks) => blocks.toSpliced(at, 0, block));
}

export function removeBlock(document: TemplateDocument, id: string): TemplateDocument {
  const found = findBlock(document, id);
  if (!found) return document;
  return withBlocks(document, found.place.list, (blocks) => blocks.filter((block) => block.id !== id));
}

export function replaceBlock(document: TemplateDocument, changed: Block): TemplateDocument {
  const found = findBlock(document, changed.id);
  if (!found) return document;
  return withBlocks(document, found.place.list, (blocks) =>
    blocks.map((block) => (block.id === changed.id ? changed : block)),
  );
}

/** Moves a block. `at` counts with the block where it is before. */
export function moveBlock(document: TemplateDocument, id: string, to: Place): TemplateDocument {
  const found = findBlock(document, id);
  if (!found) return document;
  const isOnward = isSameList(found.place.list, to.list) && found.place.at < to.at;
  return insertBlock(
    removeBlock(document, id),
    { list: to.list, at: isOnward ? to.at - 1 : to.at },
    found.block,
  );
}

/**
 * Gives columns another number of columns. What stood in one that goes moves to the last that
 * stays.
 */
export function withColumnCount(block: ColumnsBlock, count: number): ColumnsBlock {
  const kept = block.columns.slice(0, count);
  const moved = block.columns.slice(count).flat();
  while (kept.length < count) kept.push([]);
  const { shares: _, ...rest } = block;
  return { ...rest, columns: kept.map((column, at) => (at === count - 1 ? [...column, ...moved] : column)) };
}

/** The same block with ids of its own. */
export function withNewIds<Any extends Block>(block: Any, newId: NewId): Any {
  if (block.type !== 'columns') return { ...block, id: newId() };
  const columns = block.columns.map((column) => column.map((inside) => ({ ...inside, id: newId() })));
  return { ...block, id: newId(), columns };
}

/** The document with no id twice. Nothing is copied where nothing is wrong. */
export function withUniqueIds(document: TemplateDocument, newId: NewId): TemplateDocument {
  const all = listsOf(document).flatMap((list) => blocksIn(document, list).map(({ id }) => id));
  if (new Set(all).size === all.length) return document;
  const seen = new Set<string>();
  const own = <Any extends Block>(block: Any): Any => {
    const id = seen.has(block.id) ? newId() : block.id;
    seen.add(id);
    return { ...block, id };
  };
  const blocks = document.blocks.map(own).map((block) => {
    if (block.type !== 'columns') return block;
    return { ...block, columns: block.columns.map((column) => column.map(own)) };
  });
  return { ...document, blocks };
}

function withBlocks(
  document: TemplateDocument,
  list: BlockList,
  change: (blocks: Block[]) => Block[],
): TemplateDocument {
  if (list === null) return { ...document, blocks: change(document.blocks) };
  const blocks = document.blocks.map((block) => {
    if (block.id !== list.columnsId || block.type !== 'columns') return block;
    const columns = block.columns.map((column, at) =>
      at === list.column ? change(column).filter(isSingle) : column,
    );
    return { ...block, columns };
  });
  return { ...document, blocks };
}

const isSingle = (block: Block): block is SingleBlock => block.type !== 'columns';
