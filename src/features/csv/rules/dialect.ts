/** How the bytes of a file become rows. The person who imports can override every value. */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** `''` means that no character quotes: every quote is plain text. */
export const quotes = ['"', "'", ''] as const;
export type Quote = (typeof quotes)[number];

/** What was seen. The reader ends a line at any of the three anyway. */
export type LineEnd = 'LF' | 'CRLF' | 'CR' | 'mixed';

export interface Dialect {
  encoding: Encoding;
  /** The file starts with a byte order mark. */
  bom: boolean;
  /** The first line is Excel's `sep=;`: it names the delimiter and is neither header nor row. */
  sepLine: boolean;
  delimiter: Delimiter;
  quote: Quote;
  lineEnd: LineEnd;
  /**
   * Records above the header or the first row: a title, a note, the day of the export. They are
   * neither header nor row.
   */
  titleLines: number;
  /** The first record after those holds column names. */
  header: boolean;
}

/**
 * What can be wrong with a record. None of these stops the file, and the record is still delivered.
 *
 * - `unclosed_quote`: a quote was never closed; it counts as plain text and its record ends with
 *   its line
 * - `malformed_quote`: text follows a closing quote before the next delimiter; it is kept
 * - `too_many_fields`, `too_few_fields`: compared with the number of columns
 * - `record_too_long`: over the limit; delivered with empty fields
 * - `nul_byte`: had NUL characters. At the ends of a field they were dropped; within it each became
 *   U+FFFD, so that nothing is joined that was apart
 * - `bad_encoding`: contains U+FFFD, a character that was lost here (UTF-16 cut apart) or in the
 *   program that wrote it
 */
export const csvProblems = [
  'unclosed_quote',
  'malformed_quote',
  'too_many_fields',
  'too_few_fields',
  'record_too_long',
  'nul_byte',
  'bad_encoding',
] as const;
export type CsvProblem = (typeof csvProblems)[number];
