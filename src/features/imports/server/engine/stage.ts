import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { longestSource } from '#features/basis/contract.ts';
import { codeOf } from '#features/basis/rules.ts';
import { type Names, newNames, splitName, splitPlainName } from '#features/contacts/rules.ts';
import { unneutralise } from '#features/csv/rules.ts';
import { storedReason } from '../../rules/opt-outs.ts';
import { positionText } from '../../rules/position.ts';
import { createBasisReader } from '../../rules/row-basis.ts';
import { longestCell } from '../../rules/row-values.ts';
import { nameBeforeAddress, withoutShownAddress } from '../../rules/shown-name.ts';
import { type Mapping, saysBasis } from '../../rules.ts';
import type { JudgedRow } from './reading.ts';

// COPY's text format: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
const needsEscape = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const null_ = '\\N';

function escaped(text: string): string {
  return needsEscape.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string)
    : text;
}

/**
 * Returns a test for rows with a cell of more text than a contact keeps, which is cut.
 */
export function createCutTest(mapping: Mapping): (fields: readonly string[]) => boolean {
  const { name, firstName, lastName, source, date, notes, extras, basisSource } = mapping;
  const kept = [name, firstName, lastName, source, date, notes, ...extras.map(({ index }) => index)];
  const columns = kept.filter((index) => index >= 0);
  return (fields) => {
    for (const index of columns) if ((fields[index]?.length ?? 0) > longestCell) return true;
    return basisSource >= 0 && (fields[basisSource]?.trim().length ?? 0) > longestSource;
  };
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

/** Columns that are written together, with tabs between them. */
export interface StagedColumns {
  names: string[];
  text: (row: JudgedRow) => string;
}

/** The columns that every row fills, in the order of `identityText`. */
const identityColumns = ['line', 'local', 'domain', 'address', 'state'];

/** Written in one go, because it is the same for millions of rows. */
const identityText = ({ line, part, verdict: { local, domain, address, state } }: JudgedRow): string =>
  `${positionText(line, part)}\t${escaped(local)}\t${escaped(domain)}\t${address === null ? null_ : escaped(address)}\t${state}`;

/**
 * The further columns of the staging table that rows of this mapping fill. The others stay null.
 */
export function stagedColumns(
  mapping: Mapping,
  { hasOptOuts, mends }: { hasOptOuts: boolean; mends: boolean },
): StagedColumns[] {
  const from = (name: string, index: number): StagedColumns[] =>
    index < 0 ? [] : [{ names: [name], text: ({ fields }) => cell(fields[index]) }];
  const extras: StagedColumns = {
    names: ['attributes'],
    text: ({ fields }) => attributesOf(fields, mapping.extras),
  };
  return [
    nameColumns(mapping),
    ...from('source', mapping.source),
    ...from('date', mapping.date),
    ...from('notes', mapping.notes),
    ...(mapping.extras.length > 0 ? [extras] : []),
    ...(hasOptOuts ? [optOutColumns] : []),
    ...(mends ? [mendedColumns] : []),
    ...(saysBasis(mapping) ? [basisColumns(mapping)] : []),
  ];
}

/** The names of all columns, in the order of a written row. */
export const columnNames = (columns: readonly StagedColumns[]): string[] => [
  ...identityColumns,
  ...columns.flatMap(({ names }) => names),
];

const optOutColumns: StagedColumns = {
  names: ['opt_out', 'opt_out_date'],
  text: ({ optOut }) =>
    optOut === null ? `${null_}\t${null_}` : `${storedReason(optOut)}\t${optOut.date ?? null_}`,
};

const mendedColumns: StagedColumns = {
  names: ['mended_from', 'mended_state'],
  text: ({ verdict: { slip, mendedState } }) =>
    mendedState === null ? `${null_}\t${null_}` : `${slip ? escaped(slip.from) : null_}\t${mendedState}`,
};

function basisColumns(mapping: Mapping): StagedColumns {
  const read = createBasisReader(mapping, Date.now());
  return {
    names: ['basis', 'basis_source', 'basis_date'],
    text: ({ fields }) => {
      const { basis, source, day } = read(fields);
      return `${basis === null ? null_ : codeOf(basis)}\t${source === null ? null_ : escaped(source)}\t${day ?? null_}`;
    },
  };
}

/**
 * Name, first and last name: what the file does not give follows from what it gives. Where no
 * column gives any, the name counts that stands before the address in its cell.
 */
function nameColumns(mapping: Mapping): StagedColumns {
  const { name, firstName, lastName } = mapping;
  const orNull = (value: string | null) => (value === null ? null_ : escaped(value));
  const textOf = (them: Names) => `${orNull(them.name)}\t${orNull(them.firstName)}\t${orNull(them.lastName)}`;
  const namesOf = firstName < 0 && lastName < 0 ? null : createNameReader(mapping);
  const given = (fields: readonly string[]) =>
    namesOf === null ? textOfName(fields[name], textOf) : textOf(namesOf(fields));
  const nobody = textOf({ name: null, firstName: null, lastName: null });
  const hasColumn = name >= 0 || firstName >= 0 || lastName >= 0;
  const text = ({ fields, text: address }: JudgedRow) => {
    const told = hasColumn ? given(fields) : nobody;
    const shown = told === nobody ? nameBeforeAddress(address) : '';
    return shown === '' ? told : textOfName(shown, textOf);
  };
  return { names: ['name', 'first_name', 'last_name'], text };
}

/** A plain name has nothing to escape. */
function textOfName(field: string | undefined, textOf: (names: Names) => string): string {
  const plain = field === undefined ? null : splitPlainName(field);
  if (plain) return `${field}\t${plain.firstName}\t${plain.lastName}`;
  const name = withoutShownAddress(plainCell(field));
  return textOf({ name: name || null, ...splitName(name) });
}

/**
 * Returns a function from a row's cells to its names, for a file with a first or a last name. A
 * name stays as it stands in the file, so that an export comes back unchanged. Most names are
 * plain, and that is fast.
 */
function createNameReader({ name, firstName, lastName }: Mapping): (fields: readonly string[]) => Names {
  const given = (fields: readonly string[], index: number) =>
    index < 0 ? undefined : plainCell(fields[index]);
  return (fields) => {
    const first = given(fields, firstName);
    const last = given(fields, lastName);
    const whole = withoutShownAddress(given(fields, name) ?? '') || undefined;
    if (whole === undefined && first && last && isTidy(first) && isTidy(last))
      return { name: `${first} ${last}`, firstName: first, lastName: last };
    // "Wright, Louise" in one of the two, and nothing in the other.
    const alone = first ? (last ? undefined : first) : last;
    if (whole === undefined && alone?.includes(',')) {
      const both = splitName(alone);
      if (both.firstName !== null && both.lastName !== null) return { name: alone, ...both };
    }
    const names = newNames({ name: whole, firstName: first, lastName: last });
    return whole === undefined ? names : { ...names, name: whole };
  };
}

/** Whether there is nothing to tidy: no blank but single ones between words. */
const isTidy = (text: string): boolean => text !== '' && !untidy.test(text);
const untidy = /^\s|\s$|\s\s|[^\S ]/;

/** Characters. A batch of long rows ends earlier: the thread has no room for 100,000 of them. */
const longestBatch = 1_000_000;

/** Writes rows to the staging table as COPY text, at most `batchSize` of them at a time. */
export class StagingWriter {
  readonly #copy: Writable;
  readonly #columns: StagedColumns[];
  readonly #batchSize: number;
  #batch = '';
  #rowsInBatch = 0;
  #full = false;
  #failure: Error | undefined;
  staged = 0;

  constructor(copy: Writable, columns: StagedColumns[], batchSize: number) {
    this.#copy = copy;
    // The next `drained` or `end` throws it. Without a listener it would end the thread. So would
    // what waits to be written, for the copy has no connection any more: it is dropped.
    copy.on('error', (error) => {
      this.#failure ??= error;
      copy.destroy();
    });
    this.#columns = columns;
    this.#batchSize = batchSize;
  }

  add(row: JudgedRow): void {
    this.#batch += identityText(row);
    for (const { text } of this.#columns) this.#batch += `\t${text(row)}`;
    this.#batch += '\n';
    this.staged++;
    if (++this.#rowsInBatch >= this.#batchSize || this.#batch.length >= longestBatch) this.#flush();
  }

  #flush(): void {
    // A copy that failed cannot be written to: that would throw something that says nothing.
    if (this.#failure) throw this.#failure;
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
    this.#flush();
    this.#copy.end();
    await finished(this.#copy);
  }
}
