import { formatCount } from '#platform/web/format.ts';
import type { FaultyPlace } from './visual-props.ts';

/** What is wrong with a document, for those that draw its blocks and its chips. */
export interface Faults {
  ofBlock: ReadonlyMap<string, { words: string[]; isProblem: boolean }>;
  /** Pieces of Liquid with a field that nobody has, or badly written. */
  liquid: ReadonlySet<string>;
}

export function faultsOf(places: readonly FaultyPlace[]): Faults {
  const ofBlock = new Map<string, { words: string[]; isProblem: boolean }>();
  for (const { words, block, isProblem } of places) {
    if (block === null) continue;
    const before = ofBlock.get(block);
    ofBlock.set(block, {
      words: [...(before?.words ?? []), words],
      isProblem: isProblem || (before?.isProblem ?? false),
    });
  }
  const liquid = places.flatMap((place) => (place.liquid === null ? [] : [place.liquid]));
  return { ofBlock, liquid: new Set(liquid) };
}

export const faultsInWords = (words: readonly string[]): string =>
  `${formatCount(words.length, 'thing')} to look at`;

/**
 * Rules that mark chips while words are written: they are not drawn anew for a mark. The attribute
 * stands there twice to count for more than the look of all chips.
 */
export const faultyChips = (attribute: string, liquid: ReadonlySet<string>): string =>
  [...liquid]
    .map((piece) => piece.replace(/["\\]/g, '\\$&').replace(/[\n\r\f<]/g, hexEscape))
    .map((piece) => `[${attribute}][${attribute}][${attribute}="${piece}"]{${faultyLook}}`)
    .join('');

/** As style sheets write a character that they may not hold. */
const hexEscape = (character: string): string => `\\${character.charCodeAt(0).toString(16)} `;

/** On the paper of the email, which is light in every colour scheme. */
export const faultyLook = 'background:#fbe9e7;color:#9c2019;text-decoration:underline wavy';
