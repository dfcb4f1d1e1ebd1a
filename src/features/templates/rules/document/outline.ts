import { blockNames, type FieldLabels, summaryOf } from './block-words.ts';
import type { Block, BlockList } from './places.ts';
import type { TemplateDocument } from './schema.ts';
import { showOnWords } from './show-on.ts';
import { showWhenWords } from './show-when.ts';

/** A block or a column, in the order in which an email is read. */
export interface OutlineItem {
  /** The block's id, or the column's: `<id of its columns>/<number>`. */
  id: string;
  /** Absent: a column. */
  block?: Block | undefined;
  /** For a column, the list that it is. */
  column?: NonNullable<BlockList>;
  /** The item that holds it. */
  parent: string | null;
  /** From 1. A block is on level 1, or on level 3 where it stands in a column. */
  level: number;
  position: number;
  of: number;
  name: string;
  summary: string;
  /** Who sees it, in words. Absent: everybody. */
  shownWhen?: string | undefined;
  /** Which screens show it, in words. Absent: all. */
  shownOn?: string | undefined;
}

export const columnItemId = (columnsId: string, column: number): string => `${columnsId}/${column}`;

export function outlineOf({ blocks }: TemplateDocument, labels: FieldLabels): OutlineItem[] {
  return blocks.flatMap((block, at) => itemsOf(block, null, 1, at, blocks.length, labels));
}

function itemsOf(
  block: Block,
  parent: string | null,
  level: number,
  at: number,
  of: number,
  labels: FieldLabels,
): OutlineItem[] {
  const item: OutlineItem = {
    id: block.id,
    block,
    parent,
    level,
    position: at + 1,
    of,
    name: blockNames[block.type],
    summary: summaryOf(block, labels),
    shownOn: block.showOn && showOnWords[block.showOn],
    shownWhen: block.showWhen && showWhenWords(block.showWhen, labels),
  };
  if (block.type !== 'columns') return [item];
  const inside = block.columns.flatMap((column, index): OutlineItem[] => {
    const id = columnItemId(block.id, index);
    const holder: OutlineItem = {
      id,
      column: { columnsId: block.id, column: index },
      parent: block.id,
      level: 2,
      position: index + 1,
      of: block.columns.length,
      name: `Column ${index + 1}`,
      summary: column.length === 0 ? 'Empty' : '',
    };
    return [holder, ...column.flatMap((one, place) => itemsOf(one, id, 3, place, column.length, labels))];
  });
  return [item, ...inside];
}
