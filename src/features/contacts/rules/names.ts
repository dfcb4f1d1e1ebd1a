import {
  leadingFamilyNames,
  middleNames,
  notOfPersons,
  otherTitles,
  particles,
  particlesAsFirstNames,
  specialWords,
  suffixes,
  suffixesInCapitals,
  titlesBeforeLastName,
} from './name-words.ts';

/** First and last name, where known. */
export interface SplitName {
  firstName: string | null;
  lastName: string | null;
}

/** A name taken apart. Joined in this order, its words are the name again. */
export interface NameParts {
  titles: string[];
  first: string[];
  /** Given names and initials that are not part of the first name. */
  middle: string[];
  last: string[];
  suffixes: string[];
}

/** Text with single blanks. Null when nothing is left. */
export const tidyName = (text: string | null | undefined): string | null =>
  text?.replace(/\s+/g, ' ').trim() || null;

/** Both names as one: "Jane Smith". Null when there are none. */
export const fullName = (firstName: string | null | undefined, lastName: string | null | undefined) =>
  tidyName(`${firstName ?? ''} ${lastName ?? ''}`);

const unknown: SplitName = { firstName: null, lastName: null };

/**
 * The first and the last name in a name written as one: "Jane Smith", "Smith, Jane", "Dr Ludwig van
 * Beethoven". Both are null unless the text is plainly the name of one person. A greeting by the
 * wrong name is worse than one without.
 */
export function splitName(name: string | null | undefined): SplitName {
  const two = name ? splitPlainName(name) : null;
  if (two) return two;
  const parts = partsOfName(name);
  if (!parts) return unknown;
  return { firstName: parts.first.join(' ') || null, lastName: parts.last.join(' ') || null };
}

/**
 * Two words of plain letters without a special one: "Jane Smith", "jane smith", "JANE SMITH",
 * "Smith, Jane". Null for other names. Most names are like this, an import has millions of them,
 * and this is twenty times as fast as taking them apart.
 */
export function splitPlainName(name: string): { firstName: string; lastName: string } | null {
  const gap = name.indexOf(' ');
  if (gap < 2) return null;
  const hasComma = name.charCodeAt(gap - 1) === COMMA;
  const end = hasComma ? gap - 1 : gap;
  const writing = writingOf(name, 0, end);
  if (writing === null || writing !== writingOf(name, gap + 1, name.length)) return null;
  const one = name.slice(0, end);
  const other = name.slice(gap + 1);
  if (isSpecialWord(one) || isSpecialWord(other)) return null;
  return hasComma ? { firstName: other, lastName: one } : { firstName: one, lastName: other };
}

const COMMA = 44;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;
const isSmall = (code: number): boolean => code >= 97 && code <= 122;

/**
 * How the word between two places of a text is written: as "Jane" or "jane", or all in capitals.
 * Null for anything but plain letters, and for a word too short to be a name.
 */
function writingOf(text: string, start: number, end: number): 'name' | 'capitals' | null {
  const beginsLarge = isCapital(text.charCodeAt(start));
  if (end - start < (beginsLarge ? 3 : 2)) return null;
  const isShouting = beginsLarge && isCapital(text.charCodeAt(start + 1));
  for (let at = beginsLarge ? start + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isShouting ? !isCapital(code) : !isSmall(code)) return null;
  }
  return isShouting ? 'capitals' : 'name';
}

/** In each way that a plain word is written. */
const writtenSpecialWords: ReadonlySet<string> = new Set(
  [...specialWords].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.slice(0, 1).toUpperCase() + word.slice(1),
  ]),
);
const longestSpecialWord = Math.max(...[...specialWords].map((word) => word.length));
/** Their first two letters and lengths, so that most words need no hash. */
const specialForms = new Uint8Array(2 ** 17);
for (const word of writtenSpecialWords) specialForms[formOf(word)] = 1;

const isSpecialWord = (word: string): boolean =>
  word.length <= longestSpecialWord && specialForms[formOf(word)] === 1 && writtenSpecialWords.has(word);

/** For ASCII letters. */
function formOf(word: string): number {
  return ((word.charCodeAt(0) & 63) << 11) | ((word.charCodeAt(1) & 127) << 4) | (word.length & 15);
}

const longestName = 120;
const mostWords = 8;

/** A name taken apart. Null when it is not plainly the name of one person. */
export function partsOfName(name: string | null | undefined): NameParts | null {
  const text = tidyName(name);
  if (text === null || text.length > longestName) return null;
  const sides = text.split(',').map((side) => side.trim());
  const wordsOf = (side: string) => side.split(' ').filter((word) => word !== '');
  if (sides.some((side) => !wordsOf(side).every(isWordOfName))) return null;
  if (sides.join(' ').split(' ').length > mostWords) return null;
  const [before = '', ...after] = sides;
  const behind = after.flatMap(wordsOf);
  if (behind.length > 0 && behind.every(isSuffix)) return withSuffixes(fromWords(wordsOf(before)), behind);
  const [given, ...rest] = after;
  if (given === undefined) return fromWords(wordsOf(before));
  const extra = rest.flatMap(wordsOf);
  if (!extra.every(isSuffix)) return null;
  return withSuffixes(lastNameFirst(wordsOf(before), wordsOf(given)), extra);
}

const bare = (word: string): string => word.replace(/\.$/, '').toLowerCase();
const isTitle = (word: string): boolean =>
  titlesBeforeLastName.has(bare(word)) || otherTitles.has(bare(word));
const isSuffix = (word: string): boolean => {
  const plain = word.replaceAll('.', '');
  return suffixes.has(plain.toLowerCase()) || suffixesInCapitals.has(plain);
};
const isParticle = (word: string): boolean => particles.has(bare(word));
/** One letter, or several with full stops: "J", "J.R." */
const isInitial = (word: string): boolean => /^\p{L}\.?$/u.test(word) || /^(\p{L}\.-?)+\p{L}?$/u.test(word);

/**
 * Latin letters with the marks that names have. In other scripts the family name often comes first.
 * A word like "Sainsbury's" names a business.
 */
const isWordOfName = (word: string): boolean =>
  /^[\p{Script=Latin}\p{M}'’ʼ‘`.-]+$/u.test(word) &&
  /^['’ʼ‘`]?\p{L}/u.test(word) &&
  !/\p{L}['’ʼ]s$/iu.test(word) &&
  !notOfPersons.has(word.replaceAll('.', '').toLowerCase());

const withSuffixes = (parts: NameParts | null, more: string[]): NameParts | null =>
  parts && { ...parts, suffixes: [...parts.suffixes, ...more] };

/** How many words from the start pass. */
function leading(words: readonly string[], passes: (word: string) => boolean): number {
  const end = words.findIndex((word) => !passes(word));
  return end < 0 ? words.length : end;
}

/** "Jane Smith", with titles before and letters after. */
function fromWords(all: readonly string[]): NameParts | null {
  const start = leading(all, isTitle);
  const end = all.length - leading(all.slice(start).toReversed(), isSuffixAfterWords(all));
  const titles = all.slice(0, start);
  const words = all.slice(start, end);
  const around = { titles, suffixes: all.slice(end) };
  if (words.length < 2) return loneLastName(words, around);
  const named = givenAndLast(words);
  return named && { ...around, ...named };
}

/** Where all is in capitals, "MA" may as well be a name. */
function isSuffixAfterWords(all: readonly string[]): (word: string) => boolean {
  const isShouted = all.every((word) => word === word.toUpperCase());
  return (word) => (isShouted ? suffixes.has(bare(word)) : isSuffix(word));
}

/** "Dr Smith" is a last name. "Jane" alone could be either name. */
function loneLastName(words: string[], around: Pick<NameParts, 'titles' | 'suffixes'>): NameParts | null {
  const [word] = words;
  if (word === undefined || isInitial(word) || isParticle(word)) return null;
  const isKnown =
    around.titles.length > 0 && around.titles.every((title) => titlesBeforeLastName.has(bare(title)));
  return isKnown ? { ...around, first: [], middle: [], last: words } : null;
}

type Named = Pick<NameParts, 'first' | 'middle' | 'last'>;

function givenAndLast(words: string[]): Named | null {
  const [first = '', ...rest] = words;
  if (isParticle(first) && !particlesAsFirstNames.has(bare(first))) return lastNameAlone(words);
  if (leadingFamilyNames.has(first.toLowerCase())) return null;
  // "SMITH Jane": in many forms the family name is in capitals, and so are initials.
  if (isShouted(first) && rest.some((word) => word !== word.toUpperCase())) return null;
  const initials = isInitial(first) ? leading(words, isInitial) : 1;
  const given = words.slice(0, initials);
  const others = words.slice(initials);
  // "Smith J": nobody can say which of the two the letter is.
  if (others.length === 0 || isInitial(others.at(-1) ?? '')) return null;
  const middles = isInitial(first) ? 0 : Math.min(leading(others, isMiddle), others.length - 1);
  const last = others.slice(middles);
  if (last.length > 2 && !isParticle(last[0] ?? '') && !last.slice(1, -1).every(isParticle)) return null;
  return { first: given, middle: others.slice(0, middles), last };
}

const isShouted = (word: string): boolean =>
  word.length > 3 && word === word.toUpperCase() && !isInitial(word);
/** "O" without a full stop begins Irish names: "Pat O Brien". */
const isMiddle = (word: string): boolean =>
  (isInitial(word) && word !== 'O') || middleNames.has(word.toLowerCase());

/** "van Dijk", in small letters, is a last name. "Van Morrison" is anybody's guess. */
function lastNameAlone(words: string[]): Named | null {
  const small = leading(words, (word) => isParticle(word) && word === word.toLowerCase());
  return small > 0 && small === words.length - 1 ? { first: [], middle: [], last: words } : null;
}

/** "Smith, Jane" and "van der Berg, Dr Jan". */
function lastNameFirst(lastWords: string[], givenWords: string[]): NameParts | null {
  const titlesBefore = lastWords.slice(0, leading(lastWords, isTitle));
  const last = lastWords.slice(titlesBefore.length);
  const titles = givenWords.filter(isTitle);
  const given = givenWords.filter((word) => !isTitle(word));
  // "Jane Smith, Leeds" is no last name with a first one. "de la Cruz, Ana" is.
  if (last.length === 0 || (last.length > 1 && leading(last, isParticle) < last.length - 1)) return null;
  if (given.length > 3 || isInitial(last.at(-1) ?? '') || given.some(isParticle)) return null;
  if (given.length === 0) return titles.length > 0 ? onlyLast([...titlesBefore, ...titles], last) : null;
  const initials = isInitial(given[0] ?? '') ? leading(given, isInitial) : 1;
  return {
    titles: [...titlesBefore, ...titles],
    first: given.slice(0, initials),
    middle: given.slice(initials),
    last,
    suffixes: [],
  };
}

const onlyLast = (titles: string[], last: string[]): NameParts => ({
  titles,
  first: [],
  middle: [],
  last,
  suffixes: [],
});
