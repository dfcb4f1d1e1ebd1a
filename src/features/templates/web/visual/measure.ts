import type { TemplateDocument } from '../../rules/document/schema.ts';

/** In pixels of the frame. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where the blocks and columns of a document stand in its frame, by the ids of the outline. */
export function boxesIn(page: Document, document: TemplateDocument): Map<string, Box> {
  const boxes = new Map<string, Box>();
  const keep = (id: string, ...place: number[]) => {
    const box = unionOf([...page.getElementsByClassName(`at-${place.join('-')}`)]);
    if (box) boxes.set(id, box);
  };
  document.blocks.forEach((block, at) => {
    keep(block.id, at);
    if (block.type !== 'columns') return;
    block.columns.forEach((column, index) => {
      keep(`${block.id}/${index}`, at, index);
      for (const [place, inside] of column.entries()) keep(inside.id, at, index, place);
    });
  });
  return boxes;
}

function unionOf(elements: Element[]): Box | undefined {
  const all = elements.map((element) => element.getBoundingClientRect());
  if (all.length === 0) return undefined;
  const left = Math.min(...all.map((box) => box.left));
  const top = Math.min(...all.map((box) => box.top));
  return {
    left,
    top,
    width: Math.max(...all.map((box) => box.right)) - left,
    height: Math.max(...all.map((box) => box.bottom)) - top,
  };
}
