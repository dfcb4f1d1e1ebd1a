import type { Delimiter } from './dialect.ts';

export type CsvValue = string | number | bigint | boolean | Date | null | undefined;

export interface CsvWriteOptions {
  /** Default comma. */
  delimiter?: Delimiter;
}

/**
 * Text that a spreadsheet runs as a formula, or that may hide one from this check: OWASP's list for
 * CSV injection, with the full-width forms that some spreadsheets fold.
 */
const formulaStart = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const neutralisedStart = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A negative number or a telephone number, which no spreadsheet runs. It stays as it is: other
 * programs would take the apostrophe for a part of it.
 */
const plainNumber = /^(?:-[0-9]+(?:\.[0-9]+)?|\+[0-9][0-9 ().]*)$/;

/**
 * Any delimiter, not just the one in use: a spreadsheet with another locale cuts there and would
 * find a formula after it. Blanks at the ends, which readers trim. A byte order mark at the start,
 * which readers drop.
 */
const needsQuotes = /[",;\t|\r\n]|^[\s\ufeff]|\s$/;

/**
 * Puts an apostrophe before text that a spreadsheet would run. Text that already starts with
 * apostrophes and such a character gets one more, so that `unneutralise` is exact.
 */
export function neutralise(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Returns exactly what `neutralise` was given; leaves any other text alone. */
export function unneutralise(cell: string): string {
  return cell.charCodeAt(0) === 39 && neutralisedStart.test(cell) ? cell.slice(1) : cell;
}

/**
 * One cell, fit for every delimiter: quoted when necessary (RFC 4180 section 2), neutralised when
 * it is text. Dates in ISO 8601, nothing for null and undefined. Numbers cannot be formulas and
 * stay as they are, so that -5 is still a number.
 */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const text = neutralise(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * One line with its line end (CRLF). A line of one empty cell becomes `""`, because readers skip
 * empty lines.
 */
export function csvLine(values: readonly CsvValue[], options: CsvWriteOptions = {}): string {
  const line = values.map(csvCell).join(options.delimiter ?? ',');
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}
