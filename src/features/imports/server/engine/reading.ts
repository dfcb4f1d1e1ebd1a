import { idna } from '#features/addresses/server/thread.ts';
import { fieldNamesProblem } from '#features/contacts/rules.ts';
import {
  type CsvProblem,
  type CsvReader,
  createCsvReader,
  csvError,
  type DetectedCsv,
  type DialectOverrides,
  detectDialect,
  headBytes,
} from '#features/csv/rules.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
import { noEmailColumn, wrongColumns } from '../../rules/left-out.ts';
import {
  createOptOutReader,
  type OptOut,
  type OptOutColumn,
  optOutIndexes,
  type RecognisedOptOuts,
  recogniseOptOuts,
  ruleFor,
  type UnclearColumn,
} from '../../rules/opt-outs.ts';
import { type AddressChoice, createBlankTest, createRowAddresses } from '../../rules/row-addresses.ts';
import {
  createRowJudge,
  defaultTargets,
  extraFields,
  givesUpOptOut,
  type Mapping,
  mappingOf,
  noAddressVerdict,
  optOutTarget,
  type RowVerdict,
  tooLongVerdict,
  withOptOuts,
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
  /** The extra field of each column's own name. */
  extraFields: string[];
  addresses: AddressChoice;
  /** The columns that say who must not be mailed. */
  optOuts: OptOutColumn[];
  /**
   * Those of them that nothing in the first rows told about: they speak only where a cell is sure.
   */
  watched: OptOutColumn[];
  /** Those that are recognised and not used. */
  unusedOptOuts: OptOutColumn[];
  unclear: UnclearColumn[];
  mapping: Mapping;
}

/**
 * @throws AppError `not_csv`, `empty_file`, `no_email_column` or `wrong_columns`, in words for the
 * person who chose the file.
 */
export async function detectReading(job: EngineJob, meter: Meter): Promise<Reading> {
  const { head, whole } = await readHead(job.filePath, meter, headBytes);
  const detected = detectDialect(head, whole, dialectOf(job));
  if (!detected.ok) throw csvError(detected.code, detected.message);
  const targetsChosen = job.reading.columns ?? null;
  mustFit(job.reading, detected.columns.length);
  const header = detected.dialect.header ? detected.columns : null;
  const recognised = recogniseOptOuts(header, detected.rows);
  const { columns, emailColumn } = detected;
  const defaults = defaultTargets(columns, emailColumn, job.settings.allowedColumns, job.knownFields);
  const { optOuts, watched } = chosenOptOuts(recognised, job.reading.doNotMail, defaults, targetsChosen);
  const targets = targetsChosen ?? withOptOuts(defaults, optOuts);
  const mapping = mappingOf(targets);
  const isUnused = ({ index }: { index: number }) => !optOuts.some((column) => column.index === index);
  // Thousands of rows that nobody needs any more.
  detected.rows = [];
  if (mapping.emails.length === 0) throw noEmailColumn();
  mustHaveRoom(mapping, job.knownFields);
  return {
    detected,
    targets,
    extraFields: extraFields(columns, job.knownFields),
    addresses: job.reading.addresses ?? 'first',
    optOuts: [...optOuts, ...watched],
    watched,
    unusedOptOuts: recognised.columns.filter(isUnused),
    unclear: recognised.unclear.filter(isUnused),
    mapping,
  };
}

/**
 * Choices for other columns than there are would be lost, and with them whom somebody wanted never
 * to be mailed.
 */
function mustFit({ columns, doNotMail = [] }: EngineJob['reading'], has: number): void {
  if (columns && columns.length !== has)
    throw wrongColumns(has, `The targets are for ${formatCount(columns.length, 'column')}`);
  const last = Math.max(...doNotMail.map(({ index, dateColumn }) => Math.max(index, dateColumn ?? 0)));
  if (last >= has) throw wrongColumns(has, `Column ${last + 1} was chosen to say who must not be mailed`);
}

/** Before the file is read: an import that finds no room at its end has been waited for in vain. */
function mustHaveRoom({ extras }: Mapping, known: readonly string[]): void {
  const names = new Set(known);
  const added = extras.map(({ name }) => name).filter((name) => !names.has(name));
  const problem = fieldNamesProblem(known.length, added);
  if (problem !== null) throw new AppError('invalid_input', `${problem} Or leave its columns out.`);
}

/**
 * The columns that are heeded: those recognised, unless a person chose the rules or gave a column
 * another target, and each that was given the target Do not mail.
 */
function chosenOptOuts(
  recognised: RecognisedOptOuts,
  rules: readonly OptOutColumn[] | undefined,
  defaults: readonly string[],
  targets: readonly string[] | null,
): { optOuts: OptOutColumn[]; watched: OptOutColumn[] } {
  if (targets === null)
    return { optOuts: [...(rules ?? recognised.columns)], watched: rules ? [] : recognised.watched };
  const before = withOptOuts(defaults, recognised.columns);
  const stands = ({ index }: OptOutColumn) => !givesUpOptOut(before[index] ?? '', targets[index] ?? '');
  const heeded = rules ?? recognised.columns.filter(stands);
  const missing = targets.flatMap((target, index) =>
    target === optOutTarget && !heeded.some((column) => column.index === index)
      ? [ruleFor(recognised, index)]
      : [],
  );
  const optOuts = [...heeded, ...missing].sort((a, b) => a.index - b.index);
  const isHeeded = ({ index }: OptOutColumn) => optOuts.some((column) => column.index === index);
  return { optOuts, watched: rules ? [] : recognised.watched.filter((one) => stands(one) && !isHeeded(one)) };
}

/**
 * What the rows of a sheet are written in is known. A header or titles may be chosen all the same.
 */
function dialectOf({ sheet, reading: { dialect = {} } }: EngineJob): DialectOverrides {
  return sheet ? { ...dialect, encoding: 'utf-8', delimiter: ',', quote: '"' } : dialect;
}

/** One address of a line. */
export interface JudgedRow {
  fields: readonly string[];
  line: number;
  /** Which of the line's addresses it is, from 0, and how many there are. */
  part: number;
  parts: number;
  /** As it stands in the file. */
  text: string;
  verdict: RowVerdict;
  /** What the line says against mailing. */
  optOut: OptOut | null;
  reader: CsvReader;
}

/**
 * Reads the file once and calls `onRow` with each address, or with the line where it has none, and
 * with what that alone tells about its fate. The row and its verdict are reused for the next one.
 * `afterPiece` is awaited between pieces, so a slow consumer slows the reading down. Returns what a
 * second reading need not find out again, and the number of blank lines, which do not count as
 * rows.
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
  const { judge, addressesOf, isBlank, optOutOf } = createLineJudge(job, reading, { findSlips: true });
  const marks = new RowMarks();
  const row = { part: 0, parts: 1, text: '' } as JudgedRow;
  let blankRecords = 0;
  const deliver = (verdict: RowVerdict) => {
    // Whoever must not be mailed goes to the list, British or not.
    if (row.optOut !== null && verdict.fate === 'nonUk') {
      verdict.fate = 'pass';
      verdict.why = '';
    }
    marks.add(verdict.fate === 'pass' ? 'passed' : 'leftOut');
    row.verdict = verdict;
    callbacks.onRow(row);
  };
  const emptyLines = await readRecords(job, reading, meter, {
    ...callbacks,
    onRecord: (reader, fields, line) => {
      row.reader = reader;
      row.fields = fields;
      row.line = line;
      row.part = 0;
      row.parts = 1;
      row.optOut = null;
      if (reader.isTooLong()) return deliver(tooLongVerdict);
      const { count, texts } = addressesOf(fields);
      if (count > 1) marks.add('several');
      row.parts = count;
      row.optOut = optOutOf(fields);
      for (let part = 0; part < count; part++) {
        row.part = part;
        row.text = texts[part] as string;
        const verdict = judge(row.text);
        if (verdict.fate !== 'blank') deliver(verdict);
        else if (count > 1 || !isBlank(reader)) deliver(noAddressVerdict);
        else {
          blankRecords++;
          marks.add('blank');
        }
      }
    },
  });
  return { marks, blank: blankRecords + emptyLines };
}

/**
 * An address on the second reading. `leftOut` tells why when the row alone decided that; otherwise
 * it is null.
 */
export interface RereadRow {
  line: number;
  part: number;
  parts: number;
  /** As it stands in the file, where a line has several. */
  text: string;
  leftOut: RowVerdict | null;
  /** Whether the line says that this person must not be mailed. */
  saysNo: () => boolean;
  fields: readonly string[];
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
  const { judge, addressesOf, optOutOf } = createLineJudge(job, reading, { findSlips: false });
  const row = {} as RereadRow;
  row.saysNo = () => optOutOf(row.fields) !== null;
  const reasonOf = (reader: CsvReader, text: string): RowVerdict => {
    if (reader.isTooLong()) return tooLongVerdict;
    const verdict = judge(text);
    return verdict.fate === 'blank' ? noAddressVerdict : verdict;
  };
  let at = 0;
  await readRecords(job, reading, meter, {
    afterPiece: callbacks.afterPiece,
    onRecord: (reader, fields, line) => {
      const first = marks.at(at++);
      if (first === 'blank') return;
      const found = first === 'passed' ? null : addressesOf(fields);
      const parts = first === 'several' && found !== null ? found.count : 1;
      row.reader = reader;
      row.fields = fields;
      row.line = line;
      row.parts = parts;
      for (let part = 0; part < parts; part++) {
        const mark = first === 'several' ? marks.at(at++) : first;
        row.part = part;
        row.text = found?.texts[part] ?? '';
        row.leftOut = mark === 'leftOut' ? reasonOf(reader, row.text) : null;
        callbacks.onRow(row);
      }
    },
  });
}

/** What turns the fields of a line into addresses and verdicts, the same for both readings. */
function createLineJudge(
  job: EngineJob,
  { detected, addresses, optOuts, mapping }: Reading,
  { findSlips }: { findSlips: boolean },
) {
  const isBlankLine = createBlankTest(detected.dialect);
  return {
    judge: createRowJudge({
      options: job.options,
      validation: job.validation,
      toAscii: idna.toAscii,
      findSlips,
      mend: job.reading.mend ?? [],
    }),
    addressesOf: createRowAddresses(mapping.emails, addresses, detected.columns.length),
    optOutOf: optOuts.length === 0 ? () => null : createOptOutReader(optOuts, Date.now()),
    /** Whether no cell of the line has anything in it, also none that is not kept. */
    isBlank: (reader: CsvReader): boolean => isBlankLine(reader.rawText()),
  };
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
    countsRecords: job.sheet !== undefined,
    wantedColumns: [...new Set([...reading.mapping.wanted, ...optOutIndexes(reading.optOuts)])],
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
