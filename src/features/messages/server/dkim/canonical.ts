/** RFC 6376, section 3.4: the relaxed forms of header fields and body. */

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/** A field in its relaxed form, without its line break. `field` has none at its end either. */
export function relaxedField(field: string): string {
  const colon = field.indexOf(':');
  // Not `trim`: a byte of UTF-8, read as Latin-1, may be its no-break space.
  const value = field
    .slice(colon + 1)
    .replace(/(?:[ \t]|\r\n)+/g, ' ')
    .replace(/^ | $/g, '');
  return `${field
    .slice(0, colon)
    .replace(/[ \t]+$/, '')
    .toLowerCase()}:${value}`;
}

/** The header's fields from first to last, each with its folds. */
export const fieldsOf = (header: string): string[] => header.split(/\r\n(?![ \t])/);

/**
 * Makes a function that answers the relaxed form of the body that begins at `start`. The answer is
 * valid until the next call. Throws a RangeError on a CR or LF alone: servers change those, and
 * then the signature fails.
 */
export function bodyCanonicaliser(): (raw: Buffer, start: number) => Buffer {
  let out = Buffer.allocUnsafe(16_384);
  return (raw, start) => {
    const size = raw.length - start + 2;
    if (out.length < size) out = Buffer.allocUnsafe(Math.max(size, out.length * 2));
    return out.subarray(0, writeRelaxed(raw, start, out));
  };
}

function writeRelaxed(raw: Buffer, start: number, out: Buffer): number {
  const { length } = raw;
  let at = 0;
  /** The end of the last line that is not empty, its line break included. */
  let end = 0;
  for (let place = start; place < length; place += 1) {
    const byte = raw[place] as number;
    if (byte > SPACE) {
      out[at++] = byte;
      continue;
    }
    if (byte === CR) {
      place += 1;
      if (raw[place] !== LF) throw strayLineBreak();
      if (at > 0 && out[at - 1] === SPACE) at -= 1;
      const isEmpty = at === 0 || out[at - 1] === LF;
      out[at++] = CR;
      out[at++] = LF;
      if (!isEmpty) end = at;
    } else if (byte === LF) throw strayLineBreak();
    else if (byte !== SPACE && byte !== TAB) out[at++] = byte;
    else if (at === 0 || out[at - 1] !== SPACE) out[at++] = SPACE;
  }
  // What follows the last line break is a line too.
  if (at > 0 && out[at - 1] === SPACE) at -= 1;
  if (at === 0 || out[at - 1] === LF) return end;
  out[at++] = CR;
  out[at++] = LF;
  return at;
}

const strayLineBreak = () =>
  new RangeError('A message with a line break other than CRLF cannot be signed: servers would change it.');
