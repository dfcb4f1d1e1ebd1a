/**
 * The place of an address in a file as one number: its line, and which of the line's addresses it
 * is. It sorts as the file does. A line has at most a million characters, so fewer addresses than
 * that.
 */
const addressesPerLine = 1_000_000;

/** `line` from 1, `part` from 0. */
export const positionOf = (line: number, part: number): number => line * addressesPerLine + part;

export const lineOf = (position: number): number => Math.floor(position / addressesPerLine);

/** The same as text. Nearly every line has one address, and this is the quick way for it. */
export const positionText = (line: number, part: number): string =>
  part === 0 ? `${line}000000` : String(positionOf(line, part));
