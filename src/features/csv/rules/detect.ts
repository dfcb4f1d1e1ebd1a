import {
  type EmailColumn,
  emailColumnByHeading,
  emailColumnsOf,
  isEmailHeader,
  looksLikeAddress,
  mayBeAddress,
  nameColumns,
} from './columns.ts';
import { decoderFor } from './decode.ts';
import {
  type Delimiter,
  type Dialect,
  delimiters,
  type Encoding,
  type LineEnd,
  type Quote,
} from './dialect.ts';
import { describeOtherKind, looksBinary } from './file-kind.ts';
import { RecordParser } from './record-parser.ts';
import { unneutralise } from './write.ts';

/** Bytes to read from the head. More would tell nothing new. */
export const headBytes = 1_048_576;
const sampledCharacters = 131_072;
const sampledRecords = 2_000;
const shownRows = 20;
const shownCellLength = 500;
const maxColumns = 1_024;
const searchedTitles = 20;
const shownTitleLength = 200;

/** What a person may set by hand when the detection is wrong. */
export interface DialectOverrides {
  encoding?: Encoding | undefined;
  delimiter?: Delimiter | undefined;
  quote?: Quote | undefined;
  header?: boolean | undefined;
  titleLines?: number | undefined;
  /** Index into `columns`. */
  emailColumn?: number | undefined;
}

export interface DetectedCsv {
  ok: true;
  dialect: Dialect;
  /** Unique, non-empty names, one per column (at most 1,024). */
  columns: string[];
  /** Index into `columns`; -1 when no column has an address. */
  emailColumn: number;
  /** The columns with addresses among the rows read for the detection, the one to use first. */
  emailColumns: EmailColumn[];
  /** The title lines, as text for people, each cut at 200 characters. */
  titles: string[];
  /** The data rows read for the detection (at most 2,000), whole. */
  rows: string[][];
  /** The first of them (at most 20), cells cut at 500 characters. */
  sample: string[][];
  /** Per column, the first cell with something in it, cut at 500 characters; '' without any. */
  firstValues: string[];
  /**
   * Per column, the share of rows that have something in it: 0 to 1. Counts the rows read for the
   * detection (at most 2,000), without blank ones.
   */
  filled: number[];
}

export interface NotCsv {
  ok: false;
  code: 'not_csv' | 'empty_file';
  /** A sentence for the person who chose the file. */
  message: string;
}

export type Detection = DetectedCsv | NotCsv;

/**
 * Detects from a file's first bytes (at most 1 MB) how to read it. `isWholeFile` means that no
 * bytes follow; otherwise a character or record cut off at the end is left out. Values in
 * `overrides` are taken as they are.
 */
export function detectDialect(
  head: Uint8Array,
  isWholeFile: boolean,
  overrides: DialectOverrides = {},
): Detection {
  const whole = isWholeFile && head.length <= headBytes;
  const bytes = head.subarray(0, headBytes);
  if (bytes.length === 0) return emptyFile;
  const other = describeOtherKind(bytes);
  if (other !== null) return { ok: false, code: 'not_csv', message: other };

  const found = findEncoding(bytes, whole);
  const encoding = overrides.encoding ?? found.encoding;
  if (!encoding.startsWith('utf-16') && looksBinary(bytes, found.encoding === 'utf-8')) {
    const message = 'This is not a text file. Choose a CSV file instead.';
    return { ok: false, code: 'not_csv', message };
  }
  let text = decoderFor(encoding).decode(bytes, { stream: !whole });
  if (text.startsWith('\ufeff')) text = text.slice(1);
  if (text.trim() === '') return whole ? emptyFile : notText;
  const lineEnd = findLineEnd(text, whole);
  const complete = whole && text.length <= sampledCharacters;
  text = text.slice(0, sampledCharacters);

  const sep = /^[\r\n]*"?sep=([,;\t|])"?(?:\r\n|\r|\n|$)/i.exec(text);
  const body = sep === null ? text : text.slice(sep[0].length);
  const quote = overrides.quote ?? findQuote(body);
  const delimiter =
    overrides.delimiter ?? (sep?.[1] as Delimiter | undefined) ?? findDelimiter(body, quote, complete);
  const all = readRecords(body, delimiter, quote, complete);
  const titleLines = overrides.titleLines ?? countTitleLines(all);
  const records = all.slice(titleLines);
  if (Math.max(records[0]?.length ?? 0, usualLength(records)) > maxColumns) return tooManyColumns;
  const header = overrides.header ?? isHeader(records);
  const dialect = {
    encoding,
    bom: found.bom,
    sepLine: sep !== null,
    delimiter,
    quote,
    lineEnd,
    titleLines,
    header,
  };
  const titles = all.slice(0, titleLines).map(titleText);
  return { ok: true, dialect, titles, ...describeColumns(records, header, overrides.emailColumn) };
}

/** Reads the same file with values set by hand, and detects the rest again. */
export function applyOverrides(
  head: Uint8Array,
  isWholeFile: boolean,
  overrides: DialectOverrides,
): Detection {
  return detectDialect(head, isWholeFile, overrides);
}

const emptyFile: NotCsv = {
  ok: false,
  code: 'empty_file',
  message: 'This file is empty. Choose a CSV file with at least one row.',
};

const notText: NotCsv = {
  ok: false,
  code: 'not_csv',
  message: 'This file begins with more than a megabyte of blanks. Choose a CSV file instead.',
};

const tooManyColumns: NotCsv = {
  ok: false,
  code: 'not_csv',
  message:
    'This file has more than 1,024 columns. Delete those that you do not need and choose the file again.',
};

function findEncoding(bytes: Uint8Array, whole: boolean): { encoding: Encoding; bom: boolean } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', bom: true };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bom: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: true };

  // Latin text in UTF-16 has a NUL in every other byte: the odd ones when the low byte comes first.
  const nuls = [0, 0];
  const looked = Math.min(bytes.length, 4_096) & ~1;
  for (let i = 0; i < looked; i++) if (bytes[i] === 0) nuls[i & 1] = (nuls[i & 1] as number) + 1;
  const [even = 0, odd = 0] = nuls;
  if (odd > looked * 0.3 && even < looked * 0.03) return { encoding: 'utf-16le', bom: false };
  if (even > looked * 0.3 && odd < looked * 0.03) return { encoding: 'utf-16be', bom: false };
  return { encoding: isMostlyUtf8(bytes, whole) ? 'utf-8' : 'windows-1252', bom: false };
}

/**
 * Valid UTF-8, or damaged in a few places. Text in a single-byte encoding hardly ever contains a
 * valid sequence, so a file with four good ones for each bad one is UTF-8.
 */
function isMostlyUtf8(bytes: Uint8Array, whole: boolean): boolean {
  try {
    decoderFor('utf-8', true).decode(bytes, { stream: !whole });
    return true;
  } catch {
    // Something is ill-formed: the decoder throws.
    const text = decoderFor('utf-8').decode(bytes, { stream: !whole });
    let good = 0;
    let bad = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad++;
      else if (code > 0x7f) good++;
    }
    return good >= bad * 4;
  }
}

function findLineEnd(text: string, whole: boolean): LineEnd {
  // A CR at the very end of a head may be half of a CRLF.
  const known = whole ? text : text.replace(/\r$/, '');
  const all = lineEndsOf(known);
  // Cells of several lines have line ends of their own, which are no ends of rows.
  const seen = all.size > 1 ? lineEndsOf(known.replace(/"(?:[^"]|"")*"/g, '')) : all;
  const [only = 'LF'] = seen;
  return seen.size > 1 ? 'mixed' : only;
}

function lineEndsOf(text: string): Set<LineEnd> {
  const seen = new Set<LineEnd>();
  for (const [end] of text.matchAll(/\r\n|\r|\n/g))
    seen.add(end === '\n' ? 'LF' : end === '\r' ? 'CR' : 'CRLF');
  return seen;
}

/** Single quotes only if they clearly wrap fields and double quotes never do. */
function findQuote(text: string): Quote {
  const start = text.slice(0, sampledCharacters);
  if (/(?:^|[,;\t|\r\n]) *"/.test(start)) return '"';
  const wrapped = start.match(/(?:^|[,;\t|\r\n])'[^'\r\n]*'(?=$|[,;\t|\r\n])/g)?.length ?? 0;
  const opened = start.match(/(?:^|[,;\t|\r\n])'/g)?.length ?? 0;
  return wrapped >= 2 && wrapped * 2 > opened ? "'" : '"';
}

function readRecords(text: string, delimiter: Delimiter, quote: Quote, complete: boolean): string[][] {
  const records: string[][] = [];
  const parser = new RecordParser({
    delimiter,
    quote,
    maxRecordLength: sampledCharacters,
    // One more, which tells of columns that cannot be read.
    maxColumns: maxColumns + 1,
    onProblem: () => {},
    onRecord: (fields) => {
      if (records.length < sampledRecords) records.push([...fields]);
    },
  });
  parser.consume(text, complete);
  // One record is longer than the sample, so use its beginning.
  if (records.length === 0) parser.consume('', true);
  return records;
}

/**
 * The delimiter that cuts most rows, including the first, into the same number of fields (at least
 * two) and leaves whole addresses in the cells. Where most rows have one field, it is the one that
 * cuts the header into most columns, and a comma where none does.
 */
function findDelimiter(text: string, quote: Quote, complete: boolean): Delimiter {
  let best: Delimiter | null = null;
  let bestScore = 0;
  let header: LikelyHeader & { by: Delimiter } = { by: ',', columns: 1, isNamed: false };
  for (const delimiter of delimiters) {
    const records = readRecords(text, delimiter, quote, complete);
    const found = likelyHeader(records);
    if (isLikelier(found, header)) header = { by: delimiter, ...found };
    const score = scoreRecords(records);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best ?? header.by;
}

interface LikelyHeader {
  columns: number;
  /** Whether it has more than one column, and names one for addresses. */
  isNamed: boolean;
}

/** The first record above the rows that names a column of addresses; else the first of all. */
function likelyHeader(records: readonly string[][]): LikelyHeader {
  const named = aboveRows(records).find((record) => record.length > 1 && record.some(isEmailHeader));
  return { columns: (named ?? records[0])?.length ?? 0, isNamed: named !== undefined };
}

const isLikelier = (one: LikelyHeader, other: LikelyHeader): boolean =>
  one.isNamed === other.isNamed ? one.columns > other.columns : one.isNamed;

/**
 * What stands above the first row with an address, as far as titles are looked for. A line that
 * names a column of addresses tells that “From: jo@acme.co.uk” above it is a title.
 */
function aboveRows(records: readonly string[][]): string[][] {
  const head = records.slice(0, searchedTitles + 1);
  const above = upTo(head, (record) => holdsAddress(record, 0));
  return above.some(namesEmail) ? above : upTo(head, (record) => holdsAddress(record));
}

function upTo(records: string[][], isRow: (record: readonly string[]) => boolean): string[][] {
  const firstRow = records.findIndex(isRow);
  return firstRow === -1 ? records : records.slice(0, firstRow);
}

/** `words` may stand beside the address in its cell. */
const holdsAddress = (record: readonly string[], words?: number): boolean =>
  record.some((cell) => mayBeAddress(cell, words));

/** A line with a heading for addresses and none itself. Other headings may speak of one. */
const namesEmail = (record: readonly string[]): boolean =>
  record.some(isEmailHeader) && !holdsAddress(record, 0);

function scoreRecords(records: readonly string[][]): number {
  const rowsOfLength = new Map<number, number>();
  let withAddress = 0;
  for (const record of records) {
    rowsOfLength.set(record.length, (rowsOfLength.get(record.length) ?? 0) + 1);
    if (record.some(looksLikeAddress)) withAddress++;
  }
  let usual = 1;
  let usualRows = 0;
  for (const [length, rows] of rowsOfLength) {
    if (rows > usualRows || (rows === usualRows && length > usual)) {
      usual = length;
      usualRows = rows;
    }
  }
  if (usual < 2) return 0;
  const share = 1 / records.length;
  return (
    usualRows * share +
    (records[0]?.length === usual ? 0.5 : 0) +
    withAddress * share +
    Math.min(usual, 20) / 100
  );
}

/**
 * How many records stand above the header or the first row. A record with an address is never one
 * of them. Two things tell: a later record is named like a header and has more in it; or the rows
 * have more fields than the lines above them.
 */
function countTitleLines(records: readonly string[][]): number {
  const head = records.slice(0, searchedTitles + 1);
  const above = aboveRows(records);
  const firstRow = above.length < head.length ? above.length : -1;
  const filled = (record: readonly string[]) => record.filter((cell) => cell.trim() !== '').length;
  const named = above.findIndex((record) => record.some(isEmailHeader));
  if (named !== -1) {
    const most = Math.max(2, filled(above[named] ?? []));
    return above.slice(0, named).every((record) => filled(record) < most) ? named : 0;
  }
  if (firstRow < 1) return 0;
  const width = usualLength(records.slice(firstRow));
  const first = head.findIndex((record, index) => index === firstRow || filled(record) > 1);
  const isNarrow = (record: readonly string[]) =>
    first === firstRow ? record.length < width : filled(record) < 2;
  return width > 1 && above.slice(0, first).every(isNarrow) ? first : 0;
}

function titleText(record: readonly string[]): string {
  const cells = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return cells.join(', ').slice(0, shownTitleLength).toWellFormed();
}

function isHeader(records: readonly string[][]): boolean {
  const [first, ...rows] = records;
  if (first === undefined) return false;
  return namesEmail(first) || (!holdsAddress(first) && rows.some((row) => holdsAddress(row)));
}

function describeColumns(records: string[][], header: boolean, emailColumn: number | undefined) {
  const names = (header ? (records[0] ?? []) : []).map((cell) => unneutralise(cell.trim()));
  const rows = header ? records.slice(1) : records;
  const columnCount = header ? names.length : usualLength(rows);
  const columns = nameColumns(names, columnCount);
  // A line of blanks says nothing about how often a column is filled.
  const told = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  const filled = columns.map((_, i) => {
    const full = told.reduce((sum, row) => sum + ((row[i] ?? '').trim() === '' ? 0 : 1), 0);
    return told.length === 0 ? 0 : full / told.length;
  });
  const known = emailColumn !== undefined && emailColumn >= 0 && emailColumn < columnCount;
  const heading = header ? names : null;
  const emailColumns = emailColumnsOf(heading, rows, columnCount);
  const found = emailColumns[0]?.index ?? emailColumnByHeading(heading, rows, columnCount) ?? -1;
  return {
    columns,
    emailColumn: known ? emailColumn : found,
    emailColumns,
    rows,
    sample: rows.slice(0, shownRows).map((row) => row.map(shownCell)),
    firstValues: columns.map((_, i) =>
      shownCell(rows.find((row) => (row[i] ?? '').trim() !== '')?.[i] ?? ''),
    ),
    filled,
  };
}

const shownCell = (cell: string): string => cell.slice(0, shownCellLength).toWellFormed();

/** The number of fields that most rows have; the larger one of two equally frequent numbers. */
function usualLength(rows: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1;
}
