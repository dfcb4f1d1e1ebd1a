import type { DetectedCsv } from '#features/csv/rules.ts';
import type { SuppressionReason } from '../contract.ts';
import { suppressionReasons } from '../contract.ts';
import type { ReadAddress, ReadDomain } from '../rules.ts';

/** How to read a suppression list, whatever program wrote it. */

export const hashKinds = ['md5', 'sha1', 'sha256'] as const;
export type HashKind = (typeof hashKinds)[number];

/** What the lines of a list contain. `auto`: whatever each looks like. */
export type ListForm = 'auto' | 'plain' | HashKind;

export type ListEntry =
  | { kind: 'blank' }
  | { kind: 'email'; local: string; domain: string }
  | { kind: 'domain'; domain: string }
  | { kind: 'hash'; hash: string; of: HashKind }
  | { kind: 'invalid'; why: string };

interface EntryReaders {
  readAddress: (text: string) => ReadAddress;
  readDomain: (text: string) => ReadDomain;
}

const digits: Record<number, HashKind> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
const hexadecimal = /^[0-9a-f]+$/i;
const names: Record<HashKind, string> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' };

/**
 * Returns a function from the text of a cell to its entry. A domain begins with @, or has a dot and
 * no @.
 */
export function createEntryReader(form: ListForm, readers: EntryReaders): (text: string) => ListEntry {
  return (given) => {
    const text = given.trim();
    if (text === '') return { kind: 'blank' };
    if (form !== 'plain') {
      const of = hexadecimal.test(text) ? digits[text.length] : undefined;
      if (of && (form === 'auto' || form === of)) return { kind: 'hash', hash: text.toLowerCase(), of };
      if (form !== 'auto') return { kind: 'invalid', why: `This is not the ${names[form]} of an address.` };
    }
    if (text.startsWith('@')) return domainOf(readers.readDomain(text.slice(1)));
    if (!text.includes('@') && text.includes('.')) return domainOf(readers.readDomain(text));
    const read = readers.readAddress(text);
    return read.ok
      ? { kind: 'email', local: read.local, domain: read.domain }
      : { kind: 'invalid', why: read.message };
  };
}

const domainOf = (read: ReadDomain): ListEntry =>
  read.ok ? { kind: 'domain', domain: read.domain } : { kind: 'invalid', why: read.message };

const key = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
/**
 * The names of columns with entries. Those of the first group tell most: an address may also be
 * where somebody lives, and a domain beside an address is only a part of it.
 */
const entryHeaders: readonly ReadonlySet<string>[] = [
  new Set([
    ...['email', 'emailaddress', 'hash', 'emailhash'],
    ...hashKinds.flatMap((kind) => [kind, `email${kind}`, `${kind}email`, `${kind}hash`]),
  ]),
  new Set(['mail', 'address']),
  new Set(['domain', 'domainname']),
];

export interface ListColumns {
  /**
   * Whether the first line holds names. The detection for contacts cannot tell that for a list of
   * hashes.
   */
  header: boolean;
  entry: number;
  /** -1: there is no such column. */
  reason: number;
  date: number;
  note: number;
}

/** Which column says what. `read` tells entries from other text. */
export function findListColumns(detected: DetectedCsv, read: (text: string) => ListEntry): ListColumns {
  const first = detected.dialect.header ? detected.columns : (detected.sample[0] ?? []);
  const counts = countEntries(detected, read);
  const named = bestNamed(first, counts);
  const entry = named >= 0 ? named : counts.indexOf(Math.max(...counts));
  // That detection takes a hash or a domain above addresses for a name, and no entry may be lost.
  const isEntry = !['blank', 'invalid'].includes(read(first[entry] ?? '').kind);
  const header = named >= 0 || (detected.dialect.header && !isEntry);
  const at = (...wanted: string[]) => (header ? first.findIndex((name) => wanted.includes(key(name))) : -1);
  return {
    header,
    entry,
    reason: at('reason'),
    date: at('date', 'createdat', 'suppressedat'),
    note: at('note', 'notes'),
  };
}

/**
 * The column whose name tells most; of several, the first. One without any entry in the sample is
 * taken only if no other named one has some. -1: none is named.
 */
function bestNamed(names: readonly string[], counts: readonly number[]): number {
  const named = entryHeaders.flatMap((group) =>
    [...names.keys()].filter((column) => group.has(key(names[column] ?? ''))),
  );
  return named.find((column) => (counts[column] ?? 0) > 0) ?? named[0] ?? -1;
}

/** How many entries each column has in the sample. */
const countEntries = (
  { sample, columns }: Pick<DetectedCsv, 'sample' | 'columns'>,
  read: (text: string) => ListEntry,
): number[] =>
  Array.from(
    { length: Math.max(columns.length, 1) },
    (_, column) =>
      sample.filter((row) => !['blank', 'invalid'].includes(read(row[column] ?? '').kind)).length,
  );

/** The reason in a list's own column, in this product's words; null for other text. */
export function reasonIn(text: string | undefined): SuppressionReason | null {
  const word = (text ?? '').trim().toLowerCase();
  return suppressionReasons.find((reason) => reason === word) ?? null;
}

/**
 * The date in a list's own column, if it is one and not in the future: `2026-11-21`, with or
 * without a time after it.
 */
export function dateIn(text: string | undefined, now: number): Date | null {
  const written = (text ?? '').trim();
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(written)) return null;
  const time = Date.parse(written.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) || time > now ? null : new Date(time);
}
