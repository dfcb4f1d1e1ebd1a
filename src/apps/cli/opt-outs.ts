import { idna } from '#features/addresses/server/index.ts';
import { createCsvReader, type DetectedCsv } from '#features/csv/rules.ts';
import { describeSuppressed } from '#features/imports/rules/left-out.ts';
import {
  createOptOutReader,
  type OptOut,
  type OptOutColumn,
  optOutIndexes,
  recogniseOptOuts,
  type UnclearColumn,
  valueKey,
} from '#features/imports/rules/opt-outs.ts';
import { createRowAddresses } from '#features/imports/rules/row-addresses.ts';
import { createRowJudge } from '#features/imports/rules.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { AddressTable } from './address-table.ts';
import type { CleanOptions } from './clean-options.ts';
import { columnNamed } from './columns.ts';
import type { Input } from './input.ts';

/**
 * Who must not be mailed by the file's own columns. What is said of an address in one row holds for
 * every row with it.
 */
export class OptOuts {
  readonly columns: readonly OptOutColumn[];
  /** Columns that may be about mailing, and that nobody has explained. */
  readonly unclear: readonly UnclearColumn[];
  /** Rows left out, by the index of the column that says so. */
  readonly rows = new Map<number, number>();
  /** The columns to read. */
  readonly indexes: readonly number[];
  readonly #read: (fields: readonly string[]) => OptOut | null;
  readonly #names: readonly string[];
  readonly #known = new AddressTable();
  /** The different things said. The table holds their places. */
  readonly #said: OptOut[] = [];
  readonly #places = new Map<string, number>();

  constructor(detected: DetectedCsv, { optOuts, doNotMail }: CleanOptions, now: number) {
    const chosen = doNotMail.map((text) => chosenColumn(text, detected.columns));
    const isChosen = ({ index }: { index: number }) => chosen.some((column) => column.index === index);
    const found = optOuts
      ? recogniseOptOuts(detected.dialect.header ? detected.columns : null, detected.sample)
      : { columns: [], unclear: [] };
    this.columns = [...found.columns.filter((column) => !isChosen(column)), ...chosen];
    this.unclear = found.unclear.filter((column) => !isChosen(column));
    this.indexes = optOutIndexes(this.columns);
    this.#read = createOptOutReader(this.columns, now);
    this.#names = detected.columns;
  }

  /** What a row says against mailing. One object for all rows. */
  read(fields: readonly string[]): OptOut | null {
    return this.#read(fields);
  }

  /** Notes for its other rows what a row says of an address. */
  learn(local: string, domain: string, said: OptOut): void {
    const key = `${said.reason} ${said.date} ${said.column}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#said.push({ ...said }) - 1;
      this.#places.set(key, place);
    }
    this.#known.put(local, domain, place);
  }

  /** Why the address must not be mailed, by this row or by one seen before. Counts the row. */
  find(local: string, domain: string, fields: readonly string[]): string | null {
    if (this.columns.length === 0) return null;
    const own = this.#read(fields);
    if (own !== null) this.learn(local, domain, own);
    const said = own ?? this.#said[this.#known.find(local, domain) ?? -1];
    if (said === undefined) return null;
    const { reason, date, column } = said;
    this.rows.set(column, (this.rows.get(column) ?? 0) + 1);
    return describeSuppressed(reason, date ?? '', this.#names[column]);
  }
}

/**
 * `Left`: a filled cell means do not mail, except for those that deny it. `Left=2023,2024`: these
 * texts mean it.
 */
function chosenColumn(text: string, names: readonly string[]): OptOutColumn {
  const end = names.includes(text) ? -1 : text.indexOf('=');
  const index = columnNamed(end < 0 ? text : text.slice(0, end), names);
  const keys =
    end < 0
      ? []
      : text
          .slice(end + 1)
          .split(',')
          .map(valueKey);
  return {
    index,
    values: Object.fromEntries(keys.map((key) => [key, 'imported'])),
    mail: [],
    vocabulary: end < 0 ? 'out' : null,
    rest: end < 0 ? 'imported' : null,
    dates: 'day-first',
    dateColumn: null,
  };
}

/**
 * Reads the whole file for what it says against mailing, so that it holds for the rows above it
 * too. Returns the bytes read.
 */
export async function learnOptOuts(
  optOuts: OptOuts,
  {
    input,
    detected,
    emails,
    options,
    rules,
    onBytes,
  }: {
    input: Input;
    detected: DetectedCsv;
    emails: readonly number[];
    options: CleanOptions;
    rules: EmailValidation;
    onBytes: (bytes: number) => void;
  },
): Promise<number> {
  const judge = createRowJudge({
    options: { validateEmails: options.validateEmails, filterNonUk: false },
    validation: rules,
    toAscii: idna.toAscii,
  });
  const addressesOf = createRowAddresses(emails, options.addresses);
  const reader = createCsvReader({
    dialect: detected.dialect,
    columnCount: detected.columns.length,
    wantedColumns: [...new Set([...emails, ...optOuts.indexes])],
    onRow: (fields) => {
      const said = optOuts.read(fields);
      if (said === null) return;
      const found = addressesOf(fields);
      for (let part = 0; part < found.count; part++) {
        const { fate, local, domain } = judge(found.texts[part] as string);
        if (fate === 'pass') optOuts.learn(local, domain, said);
      }
    },
  });
  let bytes = 0;
  for await (const piece of input.pieces()) {
    reader.push(piece);
    bytes += piece.length;
    onBytes(bytes);
  }
  reader.end();
  return bytes;
}
