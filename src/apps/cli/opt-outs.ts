import { idna } from '#features/addresses/server/index.ts';
import { createCsvReader, type DetectedCsv } from '#features/csv/rules.ts';
import { describeOptOut } from '#features/imports/rules/left-out.ts';
import { noteOptOut, type OptOutTally, unclearAfter } from '#features/imports/rules/opt-out-tally.ts';
import { optOutReasons } from '#features/imports/rules/opt-out-words.ts';
import {
  chosenRule,
  createOptOutReader,
  type OptOut,
  type OptOutColumn,
  optOutIndexes,
  type RecognisedOptOuts,
  recogniseOptOuts,
  ruleFor,
  type UnclearColumn,
} from '#features/imports/rules/opt-outs.ts';
import { createRowAddresses } from '#features/imports/rules/row-addresses.ts';
import { createRowJudge } from '#features/imports/rules.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { AddressTable } from './address-table.ts';
import type { CleanOptions } from './clean-options.ts';
import { columnNamed } from './columns.ts';
import type { Input } from './input.ts';

/**
 * Who must not be mailed by the file's own columns, as in an import: what any row says of an
 * address holds for each row with it, by the strongest reason and the earliest date.
 */
export class OptOuts {
  readonly columns: readonly OptOutColumn[];
  /** Rows that a column speaks against mailing, by its index, the first to speak first. */
  readonly rows = new Map<number, number>();
  /** The columns to read. */
  readonly indexes: readonly number[];
  /** What a row says against mailing. One object for all rows. */
  readonly read: (fields: readonly string[]) => OptOut | null;
  /** The columns that nobody has explained, understood or not. */
  readonly #recognised: readonly OptOutColumn[];
  readonly #unclear: readonly UnclearColumn[];
  readonly #tallies = new Map<number, OptOutTally>();
  readonly #known = new AddressTable();
  /** The different things said. The table holds their places. */
  readonly #said: Said[] = [];
  readonly #places = new Map<string, number>();
  /** The few addresses of which rows say different things. */
  readonly #merged = new Map<string, Said>();

  constructor(detected: DetectedCsv, { optOuts, doNotMail }: CleanOptions, now: number) {
    const all = recogniseOptOuts(detected.dialect.header ? detected.columns : null, detected.rows);
    const chosen = doNotMail.map((text) => ruleOf(text, detected.columns, all));
    const isChosen = ({ index }: { index: number }) => chosen.some((column) => column.index === index);
    const found = optOuts ? all : { columns: [], watched: [], unclear: [] };
    this.#recognised = [...found.columns, ...found.watched].filter((column) => !isChosen(column));
    this.columns = [...this.#recognised, ...chosen];
    this.#unclear = found.unclear.filter((column) => !isChosen(column));
    this.indexes = optOutIndexes(this.columns);
    this.read = createOptOutReader(this.columns, now);
  }

  /** Notes for its other rows what a row says of an address. */
  learn(local: string, domain: string, { reason, date }: OptOut): void {
    const key = `${reason} ${date}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#said.push({ reason, date }) - 1;
      this.#places.set(key, place);
    }
    const before = this.#known.put(local, domain, place);
    if (before === undefined || before === place) return;
    const address = `${local}@${domain}`;
    this.#merged.set(
      address,
      merge(this.#merged.get(address) ?? (this.#said[before] as Said), { reason, date }),
    );
  }

  /** Why the address must not be mailed, by what is known of it so far. */
  find(local: string, domain: string): string | null {
    if (this.columns.length === 0) return null;
    const place = this.#known.find(local, domain);
    if (place === undefined) return null;
    const said = this.#merged.get(`${local}@${domain}`) ?? this.#said[place];
    return said === undefined ? null : describeOptOut(said.reason, said.date ?? '');
  }

  /** Counts what the columns hold in a readable row, of which they say `said`. */
  count(fields: readonly string[], said: OptOut | null): void {
    noteOptOut({ optOuts: this.#tallies }, this.columns, { fields, optOut: said });
    if (said !== null) this.rows.set(said.column, (this.rows.get(said.column) ?? 0) + 1);
  }

  /** Columns that may be about mailing, and that nobody has explained, by the rows counted. */
  get unclear(): UnclearColumn[] {
    return unclearAfter(this.#unclear, this.#recognised, this.#tallies);
  }
}

type Said = Pick<OptOut, 'reason' | 'date'>;

const merge = (one: Said, other: Said): Said => ({
  reason: optOutReasons.find((reason) => reason === one.reason || reason === other.reason) ?? one.reason,
  date: [one.date, other.date].filter((date) => date !== null).sort()[0] ?? null,
});

/**
 * `Left`: what the column says, or any filled cell. `Left=2023,2024`: these texts. `Newsletter=`:
 * blank cells.
 */
function ruleOf(text: string, names: readonly string[], recognised: RecognisedOptOuts): OptOutColumn {
  const end = names.includes(text) ? -1 : text.indexOf('=');
  if (end < 0) return ruleFor(recognised, columnNamed(text, names));
  const texts = text.slice(end + 1).split(',');
  // A comma at the end is no blank cell.
  const told = texts.length > 1 ? texts.filter((one) => one.trim() !== '') : texts;
  return chosenRule(columnNamed(text.slice(0, end), names), told);
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
    mend: options.mendSlips ? 'all' : [],
  });
  const addressesOf = createRowAddresses(emails, options.addresses, detected.columns.length);
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
