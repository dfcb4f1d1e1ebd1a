import type { ByteWriter } from './byte-writer.ts';

/** RFC 2045, section 6.7: 76 columns, of which the last is for the `=` of a soft line break. */
const columns = 75;
/** The longest line with its line break. */
const lineRoom = 80;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DOT = 46;
const EQUALS = 61;
const CAPITAL_F = 70;

/** 1: stands for itself. */
const literal = new Uint8Array(128);
for (let code = SPACE + 1; code < 127; code += 1) literal[code] = code === EQUALS ? 0 : 1;
const hex = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0));

/**
 * Writes the text in quoted-printable. Every line break of the text (CRLF, CR or LF) becomes a
 * CRLF. The bytes of one character stay on one line. A line never begins with a dot, nor with `From
 * `: careless servers change such lines, and that breaks the signature.
 */
export function writeQuotedPrintable(out: ByteWriter, text: string): void {
  const { length } = text;
  let lineStart = out.length;
  out.reserve(lineRoom);
  for (let place = 0; place < length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === CR || code === LF) {
      if (code === CR && text.charCodeAt(place + 1) === LF) place += 1;
      lineStart = endLine(out);
      continue;
    }
    const isPlain =
      code < 128 && (literal[code] === 1 || ((code === SPACE || code === TAB) && !endsLine(text, place + 1)));
    const point = code < 0xd800 || code > 0xdfff ? code : codePoint(text, place);
    const width = isPlain ? 1 : escapedWidth(point);
    if (out.length - lineStart + width > columns) {
      out.bytes[out.length++] = EQUALS;
      lineStart = endLine(out);
    }
    if (isPlain && !(out.length === lineStart && isMangled(text, place, code)))
      out.bytes[out.length++] = code;
    else writeEscaped(out, point);
    if (point > 0xffff) place += 1;
  }
}

function endLine(out: ByteWriter): number {
  out.bytes[out.length++] = CR;
  out.bytes[out.length++] = LF;
  out.reserve(lineRoom);
  return out.length;
}

/** Whether no more of the line follows. A blank at its end would be lost. */
function endsLine(text: string, place: number): boolean {
  if (place >= text.length) return true;
  const next = text.charCodeAt(place);
  return next === CR || next === LF;
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

/** Each byte of the character in UTF-8 as `=XX`. */
function writeEscaped(out: ByteWriter, point: number): void {
  if (point < 0x80) writeByte(out, point);
  else {
    if (point < 0x800) writeByte(out, 0xc0 | (point >> 6));
    else {
      if (point < 0x10000) writeByte(out, 0xe0 | (point >> 12));
      else {
        writeByte(out, 0xf0 | (point >> 18));
        writeByte(out, 0x80 | ((point >> 12) & 0x3f));
      }
      writeByte(out, 0x80 | ((point >> 6) & 0x3f));
    }
    writeByte(out, 0x80 | (point & 0x3f));
  }
}

function writeByte(out: ByteWriter, byte: number): void {
  out.bytes[out.length++] = EQUALS;
  out.bytes[out.length++] = hex[byte >> 4] as number;
  out.bytes[out.length++] = hex[byte & 15] as number;
}
