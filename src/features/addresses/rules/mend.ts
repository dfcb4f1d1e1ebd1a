/**
 * What a text that is no address was probably meant to be. Only slips with one likely reading are
 * corrected. The caller judges the result and shows it as a suggestion.
 */
import { isAscii, isInvisible, isSpace } from './characters.ts';
import { ukSecondLevels } from './ending.ts';
import { providerCutShort, suggestProvider, typoTargetOf } from './typo.ts';

/** Letters of other alphabets that look like Latin ones, small and capital. */
const latinTwins = new Map<string, string>(
  [
    'аa',
    'еe',
    'оo',
    'рp',
    'сc',
    'уy',
    'хx',
    'іi',
    'јj',
    'ѕs',
    'ԁd',
    'һh',
    'ԛq',
    'ԝw',
    'ӏl',
    'АA',
    'ВB',
    'ЕE',
    'КK',
    'МM',
    'НH',
    'ОO',
    'РP',
    'СC',
    'ТT',
    'ХX',
    'ІI',
    'ЈJ',
    'ЅS',
    'αa',
    'οo',
    'ρp',
    'νv',
    'ιi',
    'κk',
    'υu',
    'ΑA',
    'ΒB',
    'ΕE',
    'ΖZ',
    'ΗH',
    'ΙI',
    'ΚK',
    'ΜM',
    'ΝN',
    'ΟO',
    'ΡP',
    'ΤT',
    'ΥY',
    'ΧX',
  ].map((pair): [string, string] => [pair[0] as string, pair[1] as string]),
);

/** Longer text is not worth the search. */
const longestMended = 320;

/**
 * The text without probable slips in its letters, its @ sign and its dots; the same text if there
 * are none.
 */
export function mendAddress(text: string): string {
  if (text.length > longestMended) return text;
  let mended = '';
  for (const character of text) {
    if (!isInvisible(character.codePointAt(0) as number)) mended += character;
  }
  mended = mendAt(withoutComments(withoutLooseMarks(mended)));
  const at = mended.lastIndexOf('@');
  if (at < 0) return text;
  const local = trimBlanks(mended.slice(0, at))
    .replace(/\.{2,}/g, '.')
    .replace(/^\.+|\.+$/g, '');
  const domain = mendDomain(mended.slice(at + 1));
  if (domain === null) return text;
  return `${local}@${domain}`;
}

/**
 * The same text with its look-alikes in Latin letters; null if that does not make all of it Latin.
 */
export function latinised(text: string): string | null {
  if (isAscii(text)) return null;
  let latin = '';
  for (const character of text) latin += latinTwins.get(character) ?? character;
  return /^[\x21-\x7e]+$/.test(latin) ? latin : null;
}

/**
 * `jo@@acme`, `jo(at)acme`, and `jo"acme`: a British keyboard has the quotation mark where a US one
 * has the @ sign.
 */
function mendAt(text: string): string {
  if (text.includes('@')) return text.replace(/@(?:\s*@)+/g, '@');
  const spelt = /^([^\s@]+)\s*[([{]\s*at\s*[)\]}]\s*([^\s@]+)$/i.exec(text);
  if (spelt) return `${spelt[1]}@${spelt[2]}`;
  const swapped = /^([^\s"]+)"([^\s"]+\.[a-z]{2,})$/i.exec(text);
  return swapped ? `${swapped[1]}@${swapped[2]}` : text;
}

/** Accents that stand on no letter, as a slip before the address leaves them. */
const withoutLooseMarks = (text: string): string =>
  isAscii(text) ? text : text.replace(/(^|[^\p{L}\p{M}\p{N}])\p{M}+/gu, '$1');

/** `jo(home)@acme.co.uk`: by the book (RFC 5322) a comment, which means nothing. */
const withoutComments = (text: string): string =>
  text.includes('@') ? text.replace(/\s*\([^()@]*\)/g, '') : text;

function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Commas instead of dots, blanks beside a dot, too many dots: `acme.co,uk`, `acme. co.uk`,
 * `acme..co.uk`.
 */
function mendDomain(text: string): string | null {
  const dotted = text
    .replace(/\s*\.\s*/g, '.')
    .replace(/[,;:]/g, '.')
    .replace(/\.{2,}/g, '.')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const domain = /\s/.test(dotted) ? domainAmong(dotted.split(/\s+/)) : dotted;
  if (domain === null) return null;
  const lower = domain.toLowerCase();
  return suggestProvider(lower) ?? providerCutShort(lower) ?? domain;
}

/**
 * The domain meant by words with blanks between them, or null. Joined words make a name that nobody
 * wrote and that may belong to somebody else, so this accepts only domains that people commonly
 * mean: `gmail com`, `the yahoo.co.uk`.
 */
function domainAmong(words: readonly string[]): string | null {
  const together = [words.join(''), words.join('.').replace(/\.{2,}/g, '.')];
  const meant = together.find((one) => typoTargetOf(one.toLowerCase()) !== undefined);
  if (meant !== undefined) return meant;
  const [first = '', ...others] = words;
  // Only the dot is missing: `acme.co uk`.
  if (others.length === 1 && others[0]?.toLowerCase() === 'uk') {
    const labels = first.replace(/\.$/, '').toLowerCase().split('.');
    if (labels.length > 1 && ukSecondLevels.includes(labels.at(-1) as string))
      return `${labels.join('.')}.uk`;
  }
  const last = words.at(-1) as string;
  const target = typoTargetOf(last.toLowerCase());
  // A word before one like `sky.com` may belong to the name. And of two domains, either may be
  // meant.
  const isAlone = target !== undefined && !target.isExact && !words.slice(0, -1).join('').includes('.');
  return isAlone ? last : null;
}
