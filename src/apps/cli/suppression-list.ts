import { hash } from 'node:crypto';
import { idna } from '#features/addresses/server/index.ts';
import { createCsvReader, detectDialect, unneutralise } from '#features/csv/rules.ts';
import { describeSuppressed, describeSuppressedDomain } from '#features/imports/rules/left-out.ts';
import { suppressionReasons } from '#features/suppressions/contract.ts';
import {
  createEntryReader,
  dateIn,
  findListColumns,
  type HashKind,
  type ListEntry,
  reasonIn,
} from '#features/suppressions/rules/list-file.ts';
import { createAddressReader, readDomain } from '#features/suppressions/rules.ts';
import { AddressTable } from './address-table.ts';
import { Failure } from './failure.ts';
import { openInput } from './input.ts';

/**
 * Whom not to mail, from files: addresses, domains with their subdomains, and hashes, read as the
 * product imports them.
 */
export class SuppressionList {
  readonly #addresses = new AddressTable();
  readonly #hashes = new AddressTable();
  readonly #kinds = new Set<HashKind>();
  readonly #domains = new Set<string>();
  readonly #today: number;
  entries = 0;
  /** Lines that are not an entry, and where the first one is. */
  unread = 0;
  firstUnread: { file: string; line: number; why: string } | null = null;

  /** Treats dates after `now` as mistakes. */
  constructor(now: number) {
    this.#today = now;
  }

  /**
   * Why the address must not be mailed, in the words of an import's receipt. Null when it may be
   * mailed.
   */
  find(local: string, domain: string): string | null {
    const known = this.#addresses.find(local, domain) ?? this.#findHash(local, domain);
    if (known !== undefined) return describeNumber(known);
    for (let name = domain; name !== ''; name = parentOf(name)) {
      if (this.#domains.has(name)) return describeSuppressedDomain();
    }
    return null;
  }

  #findHash(local: string, domain: string): number | undefined {
    if (domain === '') return undefined;
    for (const kind of this.#kinds) {
      const known = this.#hashes.find(hash(kind, `${local}@${domain}`), kind);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  /** Adds the entries of a file. */
  async read(path: string): Promise<void> {
    const read = createEntryReader('auto', {
      readAddress: createAddressReader(idna, 2 ** 14),
      readDomain: (text) => readDomain(text, idna),
    });
    const input = await openInput(path);
    try {
      const detected = detectDialect(input.head, input.whole, { titleLines: 0 });
      if (!detected.ok) throw new Failure(`${input.name}: ${detected.message}`);
      const columns = findListColumns(detected, read);
      const cell = (fields: string[], column: number) => (column < 0 ? undefined : fields[column]);
      const reader = createCsvReader({
        dialect: { ...detected.dialect, header: columns.header },
        onRow: (fields, line) => {
          const entry = read(unneutralise(fields[columns.entry] ?? ''));
          if (entry.kind === 'blank') return;
          if (entry.kind === 'invalid') {
            this.unread++;
            this.firstUnread ??= { file: input.name, line, why: entry.why };
            return;
          }
          const reason = reasonIn(cell(fields, columns.reason)) ?? 'imported';
          this.#add(entry, numberOf(reason, dateIn(cell(fields, columns.date), this.#today)));
        },
      });
      for await (const piece of input.pieces()) reader.push(piece);
      reader.end();
    } finally {
      await input.close();
    }
  }

  #add(entry: Exclude<ListEntry, { kind: 'blank' | 'invalid' }>, number: number): void {
    this.entries++;
    if (entry.kind === 'domain') this.#domains.add(entry.domain);
    else if (entry.kind === 'email') this.#addresses.put(entry.local, entry.domain, number);
    else {
      this.#hashes.put(entry.hash, entry.of, number);
      this.#kinds.add(entry.of);
    }
  }
}

const parentOf = (domain: string): string => {
  const dot = domain.indexOf('.');
  return dot < 0 ? '' : domain.slice(dot + 1);
};

/** Packs a reason and a day into one number: sixteen numbers per day. Day 0 means no date. */
function numberOf(reason: (typeof suppressionReasons)[number], date: Date | null): number {
  const day = date === null ? 0 : Date.parse(`${londonDay.format(date)}T00:00:00Z`) / dayMs;
  return Math.max(0, day) * 16 + suppressionReasons.indexOf(reason);
}

function describeNumber(number: number): string {
  const day = Math.floor(number / 16);
  const isoDate = day === 0 ? '' : new Date(day * dayMs).toISOString().slice(0, 10);
  return describeSuppressed(suppressionReasons[number % 16] ?? '', isoDate);
}

const dayMs = 86_400_000;

/** The day in Britain, as everywhere in the product: `2026-11-21`. */
const londonDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
