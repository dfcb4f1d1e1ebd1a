import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { unneutralise } from '#features/csv/rules.ts';
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

/** A field of the file; empty becomes null. */
function cell(text: string | undefined): string {
  if (text === undefined || text === '') return null_;
  const plain = unneutralise(text);
  return escaped(plain.length > longestCell ? plain.slice(0, longestCell).toWellFormed() : plain);
}

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

/** Writes rows to the staging table as COPY text, `batchSize` of them at a time. */
export class StagingWriter {
  readonly #copy: Writable;
  readonly #mapping: Mapping;
  readonly #batchSize: number;
  #batch = '';
  #rowsInBatch = 0;
  #full = false;
  #failure: Error | undefined;
  staged = 0;

  constructor(copy: Writable, mapping: Mapping, batchSize: number) {
    this.#copy = copy;
    // The next `drained` or `end` throws it. Without a listener it would end the thread.
    copy.on('error', (error) => {
      this.#failure ??= error;
    });
    this.#mapping = mapping;
    this.#batchSize = batchSize;
  }

  add(row: JudgedRow): void {
    const { fields, verdict } = row;
    const { name, source, date, notes, extras } = this.#mapping;
    this.#batch += `${positionText(row.line, row.part)}\t${escaped(verdict.local)}\t${escaped(verdict.domain)}\t${
      verdict.address === null ? null_ : escaped(verdict.address)
    }\t${verdict.state}\t${name < 0 ? null_ : cell(fields[name])}\t${source < 0 ? null_ : cell(fields[source])}\t${
      date < 0 ? null_ : cell(fields[date])
    }\t${notes < 0 ? null_ : cell(fields[notes])}\t${extras.length === 0 ? null_ : attributesOf(fields, extras)}\n`;
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
