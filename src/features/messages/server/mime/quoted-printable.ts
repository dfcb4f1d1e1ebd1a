import type { ByteWriter } from './byte-writer.ts';

/** RFC 2045, section 6.7: 76 columns, of which the last is for the `=` of a soft line break. */
const columns = 75;
/** The longest line with its line break, and a blank at its end that is escaped. */
const lineRoom = 88;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DOT = 46;
const EQUALS = 61;
const CAPITAL_F = 70;

/** 1: stands for itself. Blanks do not at the end of a line. */
const literal = new Uint8Array(128);
for (let code = SPACE; code < 127; code += 1) literal[code] = code === EQUALS ? 0 : 1;
literal[TAB] = 1;
const hex = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));

/**
 * Writes the text in quoted-printable. Every line break of the text (CRLF, CR or LF) becomes a
 * CRLF. The bytes of one character stay on one line. No line begins with a dot or with `From `:
 * careless servers change such lines, and that breaks the signature.
 */
export function writeQuotedPrintable(out: ByteWriter, text: string): void {
  const { length } = text;
  let lineStart = startLine(out, out.length);
  let at = lineStart;
  let { bytes } = out;
  let place = 0;
  while (place < length) {
    let code = text.charCodeAt(place);
    // Nearly all characters go this way.
    const stop = at === lineStart ? place : Math.min(length, place + columns - (at - lineStart));
    while (place < stop && code < 128 && literal[code] === 1) {
      bytes[at++] = code;
      place += 1;
      code = text.charCodeAt(place);
    }
    if (place === length) break;
    if (code === CR || code === LF) {
      lineStart = at = endLine(out, escapeLastBlank(bytes, lineStart, at));
      bytes = out.bytes;
      place += code === CR && text.charCodeAt(place + 1) === LF ? 2 : 1;
      continue;
    }
    const point = code < 0xd800 || code > 0xdfff ? code : codePoint(text, place);
    const isPlain = code < 128 && literal[code] === 1;
    if (at - lineStart + (isPlain ? 1 : escapedWidth(point)) > columns) {
      lineStart = at = breakLine(out, at);
      bytes = out.bytes;
    }
    if (isPlain && !(at === lineStart && isMangled(text, place, code))) bytes[at++] = code;
    else at = writeEscaped(bytes, at, point);
    place += point > 0xffff ? 2 : 1;
  }
  out.length = escapeLastBlank(bytes, lineStart, at);
}

/** Makes room for the next line. */
function startLine(out: ByteWriter, at: number): number {
  out.length = at;
  out.reserve(lineRoom);
  return at;
}

function endLine(out: ByteWriter, at: number): number {
  out.bytes[at] = CR;
  out.bytes[at + 1] = LF;
  return startLine(out, at + 2);
}

/** A soft line break: the text goes on without one. */
function breakLine(out: ByteWriter, at: number): number {
  out.bytes[at] = EQUALS;
  return endLine(out, at + 1);
}

/** A blank at the end of a line would be lost. Answers where the line ends now. */
function escapeLastBlank(bytes: Buffer, lineStart: number, end: number): number {
  const last = bytes[end - 1] as number;
  if (end === lineStart || (last !== SPACE && last !== TAB)) return end;
  let at = end - 1;
  if (at - lineStart + 3 > columns) {
    bytes[at] = EQUALS;
    bytes[at + 1] = CR;
    bytes[at + 2] = LF;
    at += 3;
  }
  return writeByte(bytes, at, last);
}

const isMangled = (text: string, place: number, code: number): boolean =>
  code === DOT || (code === CAPITAL_F && text.startsWith('From ', place));

/** The character at `place`; U+FFFD for half a surrogate pair. */
function codePoint(text: string, place: number): number {
  const point = text.codePointAt(place) as number;
  return point > 0xffff ? point : 0xfffd;
}

const escapedWidth = (point: number): number =>
  point < 0x80 ? 3 : point < 0x800 ? 6 : point < 0x10000 ? 9 : 12;

/** Writes each byte of the character in UTF-8 as `=XX`. Answers where the next one goes. */
function writeEscaped(bytes: Buffer, start: number, point: number): number {
  if (point < 0x80) return writeByte(bytes, start, point);
  let at = start;
  if (point < 0x800) at = writeByte(bytes, at, 0xc0 | (point >> 6));
  else {
    if (point < 0x10000) at = writeByte(bytes, at, 0xe0 | (point >> 12));
    else {
      at = writeByte(bytes, at, 0xf0 | (point >> 18));
      at = writeByte(bytes, at, 0x80 | ((point >> 12) & 0x3f));
    }
    at = writeByte(bytes, at, 0x80 | ((point >> 6) & 0x3f));
  }
  return writeByte(bytes, at, 0x80 | (point & 0x3f));
}

function writeByte(bytes: Buffer, at: number, byte: number): number {
  bytes[at] = EQUALS;
  bytes[at + 1] = hex[byte >> 4] as number;
  bytes[at + 2] = hex[byte & 15] as number;
  return at + 3;
}
