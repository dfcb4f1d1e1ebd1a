import { isAscii, isAsciiLetterOrDigit, isInvisible, isSpace } from './characters.ts';
import { addressesIn, decoded, namedBeside } from './several.ts';

/**
 * Lossless repair: removes what surrounds an address, and writes its letters the usual way. The
 * repairs, with their stored names: `trimmed` (blanks at the ends), `invisible` (invisible
 * characters at the ends), `punctuation` (dot, comma, semicolon or another mark after the address),
 * `quotes`, `brackets` (`<…>`), `display_name` (`Tom Ashdown <…>`, `Tom Ashdown (…)`), `mailto`
 * (the scheme and `?subject=…`, RFC 6068), `comment` (`… (home)`), `letters` (full-width and styled
 * letters, joined letters, the full stop of Chinese and Japanese), `apostrophe` (a curly one inside
 * a name).
 */
export const addressRepairs = [
  'trimmed',
  'invisible',
  'punctuation',
  'quotes',
  'brackets',
  'display_name',
  'mailto',
  'comment',
  'letters',
  'apostrophe',
] as const;
export type AddressRepair = (typeof addressRepairs)[number];

export interface RepairedAddress {
  address: string;
  /** The repairs made, each once, in the order first needed. */
  repairs: readonly AddressRepair[];
}

const noRepairs: readonly AddressRepair[] = Object.freeze([]);

/** Text longer than this is not an address with something around it. Only its ends are trimmed. */
const longestRepaired = 2048;

const closingQuote: Record<string, string> = { '"': '"', "'": "'", '“': '”', '‘': '’', '«': '»', '`': '`' };

const closingBracket: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/**
 * Removes what surrounds the address in `text`. Never throws; repairing the result again changes
 * nothing.
 */
export function repairAddress(text: string): RepairedAddress {
  if (!needsRepair(text)) return { address: text, repairs: noRepairs };
  const repairs: AddressRepair[] = [];
  let address = text;
  for (;;) {
    const before = address;
    address = trimEnds(address, repairs);
    if (address.length > longestRepaired) break;
    address = unwrap(plainLetters(address, repairs), repairs);
    address = withoutComment(address, repairs);
    address = plainApostrophes(address, repairs);
    // Each pass but the last takes something away or makes something plain, so this ends.
    if (address === before) break;
  }
  return { address, repairs: repairs.length === 0 ? noRepairs : repairs };
}

/**
 * Looks at both ends, where the first or last character reveals `mailto:` and a display name, and
 * for letters in another form.
 */
function needsRepair(text: string): boolean {
  if (text.length === 0) return false;
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (!isAsciiLetterOrDigit(last)) return true;
  if (!isAsciiLetterOrDigit(first) || ((first | 32) === 109 && text.charCodeAt(6) === 58)) return true;
  return text.length <= longestRepaired && (oddLetter.test(text) || curlyApostrophe.test(text));
}

/**
 * Full-width forms, the ideographic full stop, joined letters (ﬁ), mathematical letters and digits.
 */
const oddLetter = /[\uff01-\uff5e\u3002\uff61\ufb00-\ufb06\u{1d400}-\u{1d7ff}]/u;
const oddLetters = new RegExp(oddLetter.source, 'gu');
/** Between two letters of a name before the only @ sign, where no quotation mark can stand. */
const curlyApostrophe =
  /(?<=^[^\s@<>]*\p{L})[\u2018\u2019\u201b\u02bc\u2032\u00b4](?=\p{L}[^\s@<>]*@[^\s@<>]+$)/u;

/** Unicode's own plain form of each letter (NFKC): the same letter, written wider or prettier. */
function plainLetters(text: string, repairs: AddressRepair[]): string {
  const plain = text.replace(oddLetters, (letter) => {
    if (letter === '\u3002' || letter === '\uff61') return '.';
    const usual = letter.normalize('NFKC');
    return isAscii(usual) ? usual : letter;
  });
  if (plain !== text) note(repairs, 'letters');
  return plain;
}

function plainApostrophes(text: string, repairs: AddressRepair[]): string {
  let plain = text;
  while (curlyApostrophe.test(plain)) plain = plain.replace(curlyApostrophe, "'");
  if (plain !== text) note(repairs, 'apostrophe');
  return plain;
}

/**
 * `jo@acme.co.uk (home)`, `(home) jo@acme.co.uk`. With an @ sign inside, it may be another address.
 */
function withoutComment(text: string, repairs: AddressRepair[]): string {
  const last = text.charCodeAt(text.length - 1);
  let rest = text;
  if (last === 41) {
    const open = text.lastIndexOf('(');
    if (open > 0 && isRemark(text.slice(open + 1, -1)) && /@[^\s@]+\s*$/.test(text.slice(0, open)))
      rest = text.slice(0, open);
  } else if (text.charCodeAt(0) === 40) {
    const close = text.indexOf(')');
    if (close > 0 && isRemark(text.slice(1, close)) && /^\s*[^\s@]+@/.test(text.slice(close + 1)))
      rest = text.slice(close + 1);
  }
  if (rest !== text) note(repairs, 'comment');
  return rest;
}

const isRemark = (text: string): boolean => !/[()@]/.test(text);

function note(repairs: AddressRepair[], repair: AddressRepair): void {
  if (!repairs.includes(repair)) repairs.push(repair);
}

function trimEnds(text: string, repairs: AddressRepair[]): string {
  let start = 0;
  let end = text.length;
  while (start < end) {
    const width = removableWidth(text.codePointAt(start) ?? 0, repairs);
    if (width === 0) break;
    start += width;
  }
  while (end > start) {
    const code = text.charCodeAt(end - 1);
    if (isClosingMark(code)) {
      note(repairs, 'punctuation');
      end -= 1;
      continue;
    }
    const isPair = code >= 0xdc00 && code <= 0xdfff && end - start >= 2;
    const point = isPair ? (text.codePointAt(end - 2) ?? 0) : code;
    const width = removableWidth(point > 0xffff ? point : code, repairs);
    if (width === 0) break;
    end -= width;
  }
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** `.` `,` `;` `:` `!` `?` and the ellipsis, none of which ends an address. */
const isClosingMark = (code: number): boolean =>
  code === 46 || code === 44 || code === 59 || code === 58 || code === 33 || code === 63 || code === 0x2026;

/** The number of code units of the blank or invisible code point; 0 when it is neither. */
function removableWidth(point: number, repairs: AddressRepair[]): number {
  if (point > 32 && point < 127) return 0;
  if (isSpace(point)) {
    note(repairs, 'trimmed');
    return 1;
  }
  if (isInvisible(point)) {
    note(repairs, 'invisible');
    return point > 0xffff ? 2 : 1;
  }
  return 0;
}

/**
 * Removes one layer: quotation marks, brackets with or without a name before them, or `mailto:`.
 */
function unwrap(text: string, repairs: AddressRepair[]): string {
  if (text.length < 2) return text;
  const last = text[text.length - 1] as string;
  const closing = closingQuote[text[0] as string];
  if (closing === last && text.indexOf(closing, 1) === text.length - 1) {
    note(repairs, 'quotes');
    return text.slice(1, -1);
  }
  if (closingBracket[text[0] as string] === last && /^.[^()[\]{}]+@[^()[\]{}]+.$/.test(text)) {
    note(repairs, 'brackets');
    return text.slice(1, -1);
  }
  if (last === '>') {
    const open = text.lastIndexOf('<');
    const isOne = open === 0 || (open > 0 && text.indexOf('@', open) > 0 && namedBeside(text).length === 0);
    if (isOne) {
      note(repairs, open === 0 ? 'brackets' : 'display_name');
      return text.slice(open + 1, -1);
    }
  }
  if (last === ')' && shownWithName.test(text)) {
    note(repairs, 'display_name');
    return text.slice(text.lastIndexOf('(') + 1, -1);
  }
  if ((text.charCodeAt(0) | 32) === 109 && text.slice(0, 7).toLowerCase() === 'mailto:') {
    const address = withoutMailto(text);
    if (address !== text) note(repairs, 'mailto');
    return address;
  }
  return text;
}

/** `Tom Ashdown (tom@acme.co.uk)`, as Outlook shows an address. */
const shownWithName = /^[^@()]+\([^\s()@]+@[^\s()@]+\)$/;

/** The address of a link. One that names further addresses is left as it is. */
function withoutMailto(text: string): string {
  const start = text.startsWith('//', 7) ? 9 : 7;
  const query = text.indexOf('?', start);
  const address = text.slice(start, query < 0 ? undefined : query);
  if (query >= 0 && addressesIn(decoded(text.slice(query))).length > 0) return text;
  return address.includes('%') ? decoded(address) : address;
}

/** The repairs in a sentence, without a full stop. */
export function describeRepairs(repairs: readonly AddressRepair[]): string {
  const isRewriting = (repair: AddressRepair): boolean => repair === 'letters' || repair === 'apostrophe';
  const written = repairs.filter(isRewriting);
  const removed = repairs.filter((repair) => !isRewriting(repair));
  const taken = removed.length > 0 ? `Taken away around the address: ${removed.join(', ')}` : '';
  const plain = written.length > 0 ? `Written the usual way: ${written.join(', ')}` : '';
  return [taken, plain].filter((words) => words !== '').join('. ');
}
