import type { OutlineItem } from '../../rules/document/outline.ts';
import { blocksIn, findBlock, type Place } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import type { Box } from './measure.ts';

export interface Point {
  x: number;
  y: number;
}

export interface Drop {
  place: Place;
  /** The line that shows it, in pixels of the frame. */
  line: Pick<Box, 'left' | 'top' | 'width'>;
}

const isIn = ({ x, y }: Point, box: Box): boolean =>
  x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;

/** How near to the edge of columns one is above or below them, and not in one of them. */
const edge = 10;

/**
 * Where something lands that is let go at a point. The upper half of a block is before it, the
 * lower half after it; the inside of a column is its end. Columns go into no column.
 */
export function dropAt(
  point: Point,
  items: readonly OutlineItem[],
  boxes: ReadonlyMap<string, Box>,
  document: TemplateDocument,
  isColumns: boolean,
): Drop | undefined {
  const fits = ({ level, block, id }: OutlineItem): boolean => {
    const box = boxes.get(id);
    if (!box || (isColumns && level > 1) || !isIn(point, box)) return false;
    if (block?.type !== 'columns' || isColumns) return true;
    return point.y < box.top + edge || point.y > box.top + box.height - edge;
  };
  const over = items.filter(fits);
  const outer = over.find(({ block, level }) => block?.type === 'columns' && level === 1);
  const item = outer ?? over.at(-1);
  return item ? dropBeside(item, point, boxes, document) : dropAtEnd(point, items, boxes, document);
}

function dropBeside(
  { id, column }: OutlineItem,
  { y }: Point,
  boxes: ReadonlyMap<string, Box>,
  document: TemplateDocument,
): Drop | undefined {
  const box = boxes.get(id);
  if (!box) return undefined;
  const { left, top, width, height } = box;
  if (column) {
    const inside = blocksIn(document, column);
    const last = boxes.get(inside.at(-1)?.id ?? '');
    const line = { left, width, top: last ? last.top + last.height : top + height / 2 };
    return { place: { list: column, at: inside.length }, line };
  }
  const found = findBlock(document, id);
  if (!found) return undefined;
  const isAfter = y > top + height / 2;
  const { list, at } = found.place;
  return {
    place: { list, at: isAfter ? at + 1 : at },
    line: { left, width, top: isAfter ? top + height : top },
  };
}

/** Above the first block or below the last one. */
function dropAtEnd(
  { y }: Point,
  items: readonly OutlineItem[],
  boxes: ReadonlyMap<string, Box>,
  { blocks }: TemplateDocument,
): Drop | undefined {
  const first = boxes.get(items.find(({ level }) => level === 1)?.id ?? '');
  const last = boxes.get(blocks.at(-1)?.id ?? '');
  if (!first || !last) return { place: { list: null, at: 0 }, line: { left: 20, width: 600, top: 36 } };
  if (y < first.top) return { place: { list: null, at: 0 }, line: first };
  if (y < last.top + last.height) return undefined;
  return { place: { list: null, at: blocks.length }, line: { ...last, top: last.top + last.height } };
}
