import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Names, newNames } from '#features/contacts/rules.ts';
import { unneutralise } from '#features/csv/rules.ts';
import { optOutReasons } from '../../rules/opt-out-words.ts';
import { positionText } from '../../rules/position.ts';
import type { Mapping } from '../../rules.ts';
import type { JudgedRow } from './reading.ts';

// COPY's text format: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
const needsEscape = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const null_ = '\\N';

/** Longest text to keep from one cell, in UTF-16 units. */
const longestCell = 10_000;

function escaped(text: string): string {
  return needsEscape.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string)
    : text;
}

/** A field of the file, as a contact can hold it. */
function plainCell(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  const plain = unneutralise(text);
  return plain.length > longestCell ? plain.slice(0, longestCell).toWellFormed() : plain;
}

/** The same as COPY text; empty becomes null. */
const cell = (text: string | undefined): string => escaped(plainCell(text)) || null_;

function attributesOf(fields: readonly string[], extras: Mapping['extras']): string {
  const attributes: Record<string, string> = {};
  let any = false;
  for (const { index, name } of extras) {
    const value = fields[index];
    if (value === undefined || value === '') continue;
    attributes[name] = unneutralise(value).slice(0, longestCell).toWellFormed();
    any = true;
  }
  return any ? escaped(JSON.stringify(attributes)) : null_;
}

export type StagedColumn = { name: string; text: (row: JudgedRow) => string };

/** The columns that every row fills. */
const always: StagedColumn[] = [
  { name: 'line', text: ({ line, part }) => positionText(line, part) },
  { name: 'local', text: ({ verdict }) => escaped(verdict.local) },
  { name: 'domain', text: ({ verdict }) => escaped(verdict.domain) },
  {
    name: 'address',
    text: ({ verdict: { address } }) => (address === null ? null_ : escaped(address)),
  },
  { name: 'state', text: ({ verdict }) => String(verdict.state) },
];

/** The columns of the staging table that rows of this mapping fill. The others stay null. */
export function stagedColumns(
  mapping: Mapping,
  { hasOptOuts, mends }: { hasOptOuts: boolean; mends: boolean },
): StagedColumn[] {
  const from = (name: string, index: number): StagedColumn[] =>
    index < 0 ? [] : [{ name, text: ({ fields }) => cell(fields[index]) }];
  const extras: StagedColumn = {
    name: 'attributes',
    text: ({ fields }) => attributesOf(fields, mapping.extras),
  };
  return [
    ...always,
    ...nameColumns(mapping),
    ...from('source', mapping.source),
    ...from('date', mapping.date),
    ...from('notes', mapping.notes),
    ...(mapping.extras.length > 0 ? [extras] : []),
    ...(hasOptOuts ? optOutColumns : []),
    ...(mends ? mendedColumns : []),
  ];
}

const optOutColumns: StagedColumn[] = [
  {
    name: 'opt_out',
    text: ({ optOut }) => (optOut === null ? null_ : String(optOutReasons.indexOf(optOut.reason))),
  },
  { name: 'opt_out_date', text: ({ optOut }) => optOut?.date ?? null_ },
];

const mendedColumns: StagedColumn[] = [
  {
    name: 'mended_from',
    text: ({ verdict: { slip, mendedState } }) =>
      slip === null || mendedState === null ? null_ : escaped(slip.from),
  },
  {
    name: 'mended_state',
    text: ({ verdict }) => (verdict.mendedState === null ? null_ : String(verdict.mendedState)),
  },
];

/** Name, first and last name: what the file does not give follows from what it gives. */
function nameColumns({ name, firstName, lastName }: Mapping): StagedColumn[] {
  if (name < 0 && firstName < 0 && lastName < 0) return [];
  const given = (fields: readonly string[], index: number) =>
    index < 0 ? undefined : plainCell(fields[index]);
  let of: JudgedRow['fields'] | null = null;
  let line = -1;
  let names: Names = { name: null, firstName: null, lastName: null };
  const namesOf = (row: JudgedRow): Names => {
    // The columns of one row come one after the other, and the fields are the same array for all.
    if (of === row.fields && line === row.line) return names;
    of = row.fields;
    line = row.line;
    names = newNames({
      name: given(row.fields, name) || undefined,
      firstName: given(row.fields, firstName),
      lastName: given(row.fields, lastName),
    });
    return names;
  };
  const text = (value: string | null) => (value === null ? null_ : escaped(value));
  return [
    { name: 'name', text: (row) => text(namesOf(row).name) },
    { name: 'first_name', text: (row) => text(namesOf(row).firstName) },
    { name: 'last_name', text: (row) => text(namesOf(row).lastName) },
  ];
}

/** Writes rows to the staging table as COPY text, `batchSize` of them at a time. */
export class StagingWriter {
  readonly #copy: Writable;
  readonly #columns: StagedColumn[];
  readonly #batchSize: number;
  #batch = '';
  #rowsInBatch = 0;
  #full = false;
  #failure: Error | undefined;
  staged = 0;

  constructor(copy: Writable, columns: StagedColumn[], batchSize: number) {
    this.#copy = copy;
    // The next `drained` or `end` throws it. Without a listener it would end the thread.
    copy.on('error', (error) => {
      this.#failure ??= error;
    });
    this.#columns = columns;
    this.#batchSize = batchSize;
  }

  add(row: JudgedRow): void {
    let line = '';
    for (const { text } of this.#columns) line += line === '' ? text(row) : `\t${text(row)}`;
    this.#batch += `${line}\n`;
    this.staged++;
    if (++this.#rowsInBatch >= this.#batchSize) this.#flush();
  }

  #flush(): void {
    if (this.#rowsInBatch === 0) return;
    this.#full = !this.#copy.write(Buffer.from(this.#batch, 'utf8'));
    this.#batch = '';
    this.#rowsInBatch = 0;
  }

  /** Waits until the database has caught up with what was written. */
  async drained(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (!this.#full) return;
    this.#full = false;
    if (this.#copy.writableNeedDrain) await once(this.#copy, 'drain');
  }

  async end(): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#flush();
    this.#copy.end();
    await finished(this.#copy);
  }
}
