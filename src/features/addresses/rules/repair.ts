import { isAsciiLetterOrDigit, isInvisible, isSpace } from './characters.ts';

/**
 * Lossless repair: removes only what surrounds an address, never a character of the address itself.
 * The repairs, with their stored names: `trimmed` (blanks at the ends), `invisible` (invisible
 * characters at the ends), `punctuation` (dot, comma or semicolon after the address), `quotes`,
 * `brackets` (`<…>`), `display_name` (`Tom Ashdown <…>`), `mailto` (the scheme and `?subject=…`,
 * RFC 6068).
 */
export const addressRepairs = [
  'trimmed',
  'invisible',
  'punctuation',
  'quotes',
  'brackets',
  'display_name',
  'mailto',
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
    address = unwrap(address, repairs);
    // Each pass but the last makes the text shorter, so this ends.
    if (address === before) break;
  }
  return { address, repairs: repairs.length === 0 ? noRepairs : repairs };
}

/** Looks at both ends only: the first or last character reveals `mailto:` and a display name. */
function needsRepair(text: string): boolean {
  if (text.length === 0) return false;
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (!isAsciiLetterOrDigit(last)) return true;
  return !isAsciiLetterOrDigit(first) || ((first | 32) === 109 && text.charCodeAt(6) === 58);
}

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
    if (code === 46 || code === 44 || code === 59) {
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
  if (last === '>') {
    const open = text.lastIndexOf('<');
    if (open === 0 || (open > 0 && text.indexOf('@', open) > 0)) {
      note(repairs, open === 0 ? 'brackets' : 'display_name');
      return text.slice(open + 1, -1);
    }
  }
  if ((text.charCodeAt(0) | 32) === 109 && text.slice(0, 7).toLowerCase() === 'mailto:') {
    note(repairs, 'mailto');
    return withoutMailto(text);
  }
  return text;
}

function withoutMailto(text: string): string {
  const start = text.startsWith('//', 7) ? 9 : 7;
  const query = text.indexOf('?', start);
  const address = text.slice(start, query < 0 ? undefined : query);
  if (!address.includes('%')) return address;
  try {
    return decodeURIComponent(address);
  } catch {
    // Not percent-encoding after all (URIError): `%` is allowed in a local part.
    return address;
  }
}
