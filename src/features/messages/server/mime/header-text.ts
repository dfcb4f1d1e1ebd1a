import { quoted } from './smtp-address.ts';

/**
 * The values of header fields: cleaned, encoded (RFC 2047) and folded (RFC 5322, section 2.2.3).
 */

/** RFC 5322, section 2.1.1: a line should stay within 78 columns, and must within 998. */
const columns = 78;
/** RFC 2047, section 2: a line with an encoded word, and one encoded word. */
const encodedColumns = 76;
const encodedWordLength = 75;
/** Words for programs stay as they are while they fit in a line at all. */
const longestWord = 990;

const oneLine = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const breaksLines = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * The text as a header can hold it, on one line: control characters and line breaks are blanks,
 * half a surrogate pair is U+FFFD. Nothing in the text can begin another header.
 */
export const headerText = (text: string): string => text.replace(breaksLines, ' ').toWellFormed().trim();

/**
 * An unstructured field, such as the subject, with its line break. Text for people is encoded where
 * a word of it does not fit in a line; text for programs only where it must be.
 */
export function textField(name: string, text: string, reader: 'people' | 'programs'): string {
  const value = headerText(text);
  if (value === '') return `${name}:\r\n`;
  const start = name.length + 2;
  if (!isPlain(value, reader === 'people' ? columns - start : longestWord))
    return `${name}: ${encodedWords(value, start)}\r\n`;
  return `${name}: ${start + value.length <= columns ? value : folded(value, start)}\r\n`;
}

/** Whether the text needs no encoding and has no word longer than `longest`. */
function isPlain(value: string, longest: number): boolean {
  if (!oneLine.test(value) || value.includes('=?')) return false;
  return value.length <= longest || value.split(' ').every((word) => word.length <= longest);
}

/** Breaks lines at blanks, before they are too long. */
function folded(value: string, start: number): string {
  let column = start;
  let text = '';
  for (const word of value.split(' ')) {
    if (text === '') text = word;
    else if (column + 1 + word.length > columns) {
      text += `\r\n ${word}`;
      column = 0;
    } else text += ` ${word}`;
    column += 1 + word.length;
  }
  return text;
}

export interface NamedAddress {
  name: string;
  /** As `asciiAddress` answers it. */
  address: string;
}

/** A field with one mailbox, such as From. */
export function mailboxField(field: string, { name, address }: NamedAddress): string {
  const phrase = phraseOf(headerText(name), field.length + 2);
  if (phrase === '') return `${field}: ${address}\r\n`;
  const lastLine = phrase.lastIndexOf('\n') + 1;
  const column = phrase.length - lastLine + (lastLine === 0 ? field.length + 2 : 0);
  const separator = column + address.length + 3 > columns ? '\r\n ' : ' ';
  return `${field}: ${phrase}${separator}<${address}>\r\n`;
}

const atoms = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/;

/** A display name. */
function phraseOf(name: string, start: number): string {
  if (name === '') return '';
  const plain = atoms.test(name) ? name : quoted(name);
  const fits = plain.length <= columns - start;
  return fits && oneLine.test(name) && !name.includes('=?') ? plain : encodedWords(name, start);
}

/** What stands for itself in an encoded word anywhere, display names included (section 5). */
const plainInQ = /^[A-Za-z0-9!*+\-/]$/;
const utf8Length = (character: string): number => {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};
const qLength = (character: string): number =>
  character === ' ' || plainInQ.test(character) ? 1 : 3 * utf8Length(character);
const inQ = (character: string): string => {
  if (character === ' ') return '_';
  if (plainInQ.test(character)) return character;
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '=$&');
};

/**
 * The text in encoded words, a line each, in B or Q, whichever is shorter. No character is cut.
 * `start` is the column where the first one begins.
 */
export function encodedWords(text: string, start: number): string {
  const characters = [...text];
  const inQLength = characters.reduce((sum, character) => sum + qLength(character), 0);
  const isQ = inQLength <= Math.ceil(Buffer.byteLength(text) / 3) * 4;
  const words: string[] = [];
  let word = '';
  let length = 0;
  let room = roomFor(start, isQ);
  for (const character of characters) {
    const needed = isQ ? qLength(character) : utf8Length(character);
    if (length + needed > room) {
      words.push(word);
      word = '';
      length = 0;
      room = roomFor(1, isQ);
    }
    word += character;
    length += needed;
  }
  words.push(word);
  return words
    .map((part) => (isQ ? `=?UTF-8?Q?${[...part].map(inQ).join('')}?=` : base64Word(part)))
    .join('\r\n ');
}

const base64Word = (part: string): string => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`;

/** How much fits in one encoded word: characters of Q, bytes before B. */
function roomFor(column: number, isQ: boolean): number {
  const encoded = Math.min(encodedWordLength, encodedColumns - column) - '=?UTF-8?Q??='.length;
  return isQ ? encoded : Math.floor(encoded / 4) * 3;
}
