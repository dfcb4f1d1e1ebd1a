import { idna } from '#features/addresses/server/index.ts';
import {
  type CsvProblem,
  type CsvReader,
  createCsvReader,
  csvError,
  type DetectedCsv,
  detectDialect,
  headBytes,
  unneutralise,
} from '#features/csv/rules.ts';
import { noEmailColumn } from '../../rules/left-out.ts';
import {
  createRowJudge,
  defaultTargets,
  type Mapping,
  mappingOf,
  type RowVerdict,
  tooLongVerdict,
} from '../../rules.ts';
import type { EngineJob, Meter } from './messages.ts';
import { RowMarks } from './row-marks.ts';
import { readHead, readStored } from './source.ts';

/**
 * How one file is read: what was detected, what a person chose instead, and where each column goes.
 */
export interface Reading {
  detected: DetectedCsv;
  targets: string[];
  mapping: Mapping;
}

/**
 * @throws AppError `not_csv`, `empty_file` or `no_email_column`, in words for the person who chose
 * the file.
 */
export async function detectReading(job: EngineJob, meter: Meter): Promise<Reading> {
  const { head, whole } = await readHead(job.filePath, meter, headBytes);
  const detected = detectDialect(head, whole, job.reading.dialect ?? {});
  if (!detected.ok) throw csvError(detected.code, detected.message);
  const chosen = job.reading.columns;
  const targets =
    chosen?.length === detected.columns.length
      ? chosen
      : defaultTargets(detected.columns, detected.emailColumn, job.settings.allowedColumns);
  const mapping = mappingOf(targets);
  if (mapping.email < 0) throw noEmailColumn();
  return { detected, targets, mapping };
}

export interface JudgedRow {
  fields: readonly string[];
  line: number;
  verdict: RowVerdict;
  reader: CsvReader;
}

/**
 * Reads the file once and calls `onRow` with each row that has an address, and with what the row
 * alone tells about its fate. The row and its verdict are reused for the next one. `afterPiece` is
 * awaited between pieces, so a slow consumer slows the reading down. Returns what a second reading
 * need not find out again, and the number of lines without an address, which do not count as rows.
 */
export async function readRows(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  callbacks: {
    onRow: (row: JudgedRow) => void;
    onProblem?: (line: number, kind: CsvProblem) => void;
    afterPiece: () => Promise<void>;
  },
): Promise<{ marks: RowMarks; blank: number }> {
  const judge = createRowJudge({ options: job.options, validation: job.validation, toAscii: idna.toAscii });
  const emailIndex = reading.mapping.email;
  const marks = new RowMarks();
  const row = {} as JudgedRow;
  let withoutAddress = 0;
  const emptyLines = await readRecords(job, reading, meter, {
    ...callbacks,
    onRecord: (reader, fields, line) => {
      const verdict = reader.isTooLong() ? tooLongVerdict : judge(unneutralise(fields[emailIndex] ?? ''));
      if (verdict.fate === 'blank') {
        withoutAddress++;
        return marks.add('blank');
      }
      marks.add(verdict.fate === 'pass' ? 'passed' : 'leftOut');
      row.reader = reader;
      row.fields = fields;
      row.line = line;
      row.verdict = verdict;
      callbacks.onRow(row);
    },
  });
  return { marks, blank: withoutAddress + emptyLines };
}

/**
 * A row on the second reading. `leftOut` tells why when the row alone decided that; otherwise it is
 * null.
 */
export interface RereadRow {
  line: number;
  leftOut: RowVerdict | null;
  reader: CsvReader;
}

/**
 * Reads the same bytes again, row by row. Only rows that were left out are judged again, to get the
 * reason.
 */
export async function rereadRows(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  marks: RowMarks,
  callbacks: { onRow: (row: RereadRow) => void; afterPiece: () => Promise<void> },
): Promise<void> {
  const judge = createRowJudge({ options: job.options, validation: job.validation, toAscii: idna.toAscii });
  const emailIndex = reading.mapping.email;
  const row = {} as RereadRow;
  let at = 0;
  await readRecords(job, reading, meter, {
    afterPiece: callbacks.afterPiece,
    onRecord: (reader, fields, line) => {
      const mark = marks.at(at++);
      if (mark === 'blank') return;
      row.reader = reader;
      row.line = line;
      const isLeftOut = mark === 'leftOut';
      if (isLeftOut && reader.isTooLong()) row.leftOut = tooLongVerdict;
      else row.leftOut = isLeftOut ? judge(unneutralise(fields[emailIndex] ?? '')) : null;
      callbacks.onRow(row);
    },
  });
}

/** Reads every record and returns how many lines were empty. */
async function readRecords(
  job: EngineJob,
  reading: Reading,
  meter: Meter,
  callbacks: {
    onRecord: (reader: CsvReader, fields: readonly string[], line: number) => void;
    onProblem?: ((line: number, kind: CsvProblem) => void) | undefined;
    afterPiece: () => Promise<void>;
  },
): Promise<number> {
  const reader: CsvReader = createCsvReader({
    dialect: reading.detected.dialect,
    columnCount: reading.detected.columns.length,
    wantedColumns: reading.mapping.wanted,
    onProblem: callbacks.onProblem,
    onRow: (fields, line) => callbacks.onRecord(reader, fields, line),
  });
  for await (const piece of readStored(job.filePath, meter)) {
    reader.push(piece);
    await callbacks.afterPiece();
  }
  reader.end();
  await callbacks.afterPiece();
  return reader.emptyLines();
}
