import { type FieldLabels, liquidWords } from '../../rules/document/block-words.ts';
import { shelter } from '../../rules/html/shelter.ts';
import { showLiquid } from './liquid-in-page.ts';

/** The attribute that holds the Liquid of a chip while words are written. */
export const chipAttribute = 'data-liquid';

/** The words of a block for writing: each piece of Liquid as a chip. */
export function withLiquidChips(html: string, labels: FieldLabels): string {
  const liquid = shelter(html);
  const { body } = new DOMParser().parseFromString(liquid.source, 'text/html');
  showLiquid(body, liquid, (piece) => {
    const chip = body.ownerDocument.createElement('span');
    chip.setAttribute(chipAttribute, piece);
    chip.textContent = liquidWords(piece, labels);
    return chip;
  });
  return body.innerHTML;
}

/** The other way: chips are Liquid again, written as it is and not as text of HTML. */
export function withoutLiquidChips(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const pieces: string[] = [];
  for (const chip of body.querySelectorAll(`[${chipAttribute}]`)) {
    pieces.push(chip.getAttribute(chipAttribute) ?? '');
    chip.replaceWith(`\uE000${pieces.length - 1}\uE001`);
  }
  return body.innerHTML.replace(/\uE000(\d+)\uE001/g, (_, index) => pieces[Number(index)] ?? '');
}
