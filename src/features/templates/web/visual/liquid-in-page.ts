import type { Shelter } from '../../rules/html/shelter.ts';

const word = /(\uE000\d+\uE001)/;

/**
 * Puts an element in the place of each piece of Liquid between the tags of a page, and the Liquid
 * itself back into attributes.
 */
export function showLiquid(
  body: HTMLElement,
  liquid: Shelter,
  chipOf: (liquid: string) => HTMLElement,
): void {
  const texts: Text[] = [];
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts)
    if (word.test(text.data))
      text.replaceWith(
        ...text.data.split(word).map((part) => (word.test(part) ? chipOf(liquid.restored(part)) : part)),
      );
  for (const element of body.querySelectorAll('*'))
    for (const { name, value } of [...element.attributes])
      if (word.test(value)) element.setAttribute(name, liquid.restoredInQuotes(value) ?? '');
}
