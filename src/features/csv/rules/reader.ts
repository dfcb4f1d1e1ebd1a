import { createDecoder } from './decode.ts';
import type { CsvProblem, Dialect } from './dialect.ts';
import { RecordParser } from './record-parser.ts';

/** The longest record that is read unless told otherwise, in UTF-16 units. */
export const longestRecord = 1_048_576;

export interface CsvLimits {
  /**
   * Longest record to read, in UTF-16 units (a byte each for plain English text). Default
   * `longestRecord`.
   */
  maxRecordBytes?: number;
  /**
   * The most UTF-16 units of a quoted field. A quote that is open for longer was never meant as
   * one, except in a file that the product has written itself. Default 65,536.
   */
  maxQuotedLength?: number;
  /** The most fields of one record to deliver. Default 1,024. */
  maxColumns?: number;
  /**
   * Bytes to decode at a time. Default 8,192, which is as fast as larger blocks and keeps resident
   * memory flat: with 65,536 it rose to 300 MB over 2.4 GB read
   * (docs/decisions/0004-csv-reader.md). Tests make it small so that everything is cut everywhere.
   */
  blockBytes?: number;
}

export interface CsvReaderOptions {
  dialect: Pick<Dialect, 'encoding' | 'sepLine' | 'delimiter' | 'quote' | 'header'> &
    Partial<Pick<Dialect, 'titleLines'>>;
  limits?: CsvLimits;
  /** Number of columns a row should have. By default the first record sets it. */
  columnCount?: number;
  /**
   * Indexes of the needed columns. The fields of the others are `''`, but those beyond
   * `columnCount` are delivered. Default: all.
   */
  wantedColumns?: readonly number[];
  /**
   * Number records instead of lines, for a file in which each is the row of a table. A text within
   * quotes may have line ends.
   */
  countsRecords?: boolean | undefined;
  /** The header record, when the dialect has one. The array may be kept. */
  onHeader?: (names: string[], line: number) => void;
  /**
   * One data row. `fields` is the same array for every call and has as many fields as the row (at
   * most `maxColumns`): copy what you keep. A kept field keeps the 8 KB of text it was cut from
   * alive. `line`: 1-based physical line on which the row starts. `rowNumber`: 1-based, not
   * counting empty lines, title lines and the header.
   */
  onRow: (fields: string[], line: number, rowNumber: number) => void;
  /** Called before the `onRow` of the row it is about. */
  onProblem?: (line: number, code: CsvProblem) => void;
}

export interface CsvReader {
  /** Reads more bytes. They may be cut anywhere, and the caller may reuse them afterwards. */
  push(bytes: Uint8Array): void;
  /** No bytes follow: delivers what is left. */
  end(): void;
  /**
   * Inside `onRow`: the row's original text, without its line end. For a row that is too
   * long, its first 1,024 characters.
   */
  rawText(): string;
  /** Inside `onRow`: whether the row is too long to read. Its fields are empty then. */
  isTooLong(): boolean;
  /** How many completely empty lines were skipped so far. */
  emptyLines(): number;
}

/**
 * Reads delimited text of any size in constant memory: it keeps one block and at most one record. A
 * malformed record is reported and delivered, and affects no other record; see `CsvProblem`.
 */
export function createCsvReader(options: CsvReaderOptions): CsvReader {
  const { dialect, limits = {}, onRow, onHeader, onProblem = () => {} } = options;
  const blockBytes = limits.blockBytes ?? 8_192;
  let columnCount = options.columnCount ?? 0;
  let sepLine = dialect.sepLine;
  let titleLines = dialect.titleLines ?? 0;
  let header = dialect.header;
  let rowNumber = 0;
  let records = 0;
  let tooLong = false;
  const numberOf = (line: number): number => (options.countsRecords ? records + parser.emptyLines : line);

  const parser = new RecordParser({
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    maxRecordLength: limits.maxRecordBytes ?? longestRecord,
    maxQuotedLength: limits.maxQuotedLength,
    maxColumns: limits.maxColumns ?? 1_024,
    wanted: options.wantedColumns,
    surplusFrom: columnCount,
    onProblem: (line, code) => {
      tooLong = code === 'record_too_long';
      onProblem(options.countsRecords ? numberOf(line) + 1 : line, code);
    },
    onRecord: (fields, physicalLine, count) => {
      records++;
      const line = numberOf(physicalLine);
      if (sepLine) {
        sepLine = false;
      } else if (titleLines > 0) {
        titleLines--;
      } else if (header) {
        header = false;
        if (columnCount === 0 && !tooLong) columnCount = count;
        onHeader?.([...fields], line);
      } else {
        if (columnCount === 0 && !tooLong) columnCount = count;
        if (count > columnCount && !tooLong) onProblem(line, 'too_many_fields');
        else if (count < columnCount && !tooLong && !isBlankLine(fields)) onProblem(line, 'too_few_fields');
        rowNumber++;
        onRow(fields, line, rowNumber);
      }
      tooLong = false;
    },
  });

  const decode = createDecoder(dialect.encoding);
  let atStart = true;
  function read(bytes: Uint8Array, last: boolean): void {
    let text = decode(bytes, last);
    if (atStart && text.length > 0) {
      atStart = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    parser.consume(text, last);
  }

  // Blocks are always cut at the same places, so the result cannot depend on how the bytes arrive.
  const block = new Uint8Array(blockBytes);
  let filled = 0;
  return {
    push(bytes) {
      let at = 0;
      if (filled > 0) {
        at = Math.min(bytes.length, blockBytes - filled);
        block.set(bytes.subarray(0, at), filled);
        filled += at;
        if (filled < blockBytes) return;
        read(block, false);
        filled = 0;
      }
      for (; bytes.length - at >= blockBytes; at += blockBytes)
        read(bytes.subarray(at, at + blockBytes), false);
      block.set(bytes.subarray(at));
      filled = bytes.length - at;
    },
    end() {
      read(block.subarray(0, filled), true);
      filled = 0;
    },
    rawText: () => parser.rawText(),
    isTooLong: () => tooLong,
    emptyLines: () => parser.emptyLines,
  };
}

/** A line of blanks is not a row with missing fields. */
function isBlankLine(fields: readonly string[]): boolean {
  return fields.length === 1 && (fields[0] as string).trim() === '';
}
