import { type UkClass, ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, ukClass, verdictReasons } from '#features/addresses/rules.ts';
import type { Contact, ContactFilter, ContactStatus } from './contract.ts';

/** What a stored contact says about its own address. */
export const contactStates = { valid: 0, invalid: 1, copy: 2 } as const;

/** A contact as it is stored, with what was found out about its suppression. */
export interface StoredContact {
  id: number;
  local: string;
  domain: string;
  address: string | null;
  state: number;
  isSuppressed: boolean;
  name: string | null;
  source: string | null;
  date: string | null;
  attributes: Record<string, string> | null;
  notes: string | null;
  importId: number | null;
  createdAt: Date;
  verification: StoredVerification | null;
}

/** The verdict on a contact as it is stored. */
export interface StoredVerification {
  verdict: NonNullable<Contact['verification']>['verdict'];
  /** Codes; one that this version does not know any more is not shown. */
  reasons: string[];
  risk: number;
  kind: string | null;
  uk: string | null;
  suggestion: string | null;
  checkedAt: Date;
}

/** The status shown: suppressed wins, for that is what keeps people from being mailed. */
export function contactStatus(state: number, isSuppressed: boolean): ContactStatus {
  if (isSuppressed) return 'suppressed';
  if (state === contactStates.invalid) return 'invalid';
  return state === contactStates.copy ? 'duplicate' : 'active';
}

/** The address of a contact whose text was kept only where it differs from its identity key. */
export function writtenAddress(contact: { address: string | null; local: string; domain: string }): string {
  if (contact.address !== null) return contact.address;
  return contact.domain === '' ? contact.local : `${contact.local}@${contact.domain}`;
}

export function presentContact(stored: StoredContact): Contact {
  return {
    id: stored.id,
    address: writtenAddress(stored),
    domain: stored.domain,
    status: contactStatus(stored.state, stored.isSuppressed),
    createdAt: stored.createdAt.toISOString(),
    notes: stored.notes,
    name: stored.name,
    source: stored.source,
    date: stored.date,
    attributes: stored.attributes ?? {},
    ukClass: ukClass(stored.domain) satisfies UkClass,
    importId: stored.importId,
    verification: stored.verification && presentVerification(stored.verification),
  };
}

const among = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((one) => one === text) ?? null;

function presentVerification(stored: StoredVerification): NonNullable<Contact['verification']> {
  return {
    verdict: stored.verdict,
    reasons: stored.reasons.flatMap((code) => among(verdictReasons, code) ?? []),
    risk: stored.risk,
    kind: among(addressKinds, stored.kind),
    uk: among(ukClasses, stored.uk),
    suggestion: stored.suggestion,
    checkedAt: stored.checkedAt.toISOString(),
  };
}

/**
 * True for a term that the trigram index can tell blocks apart by: three letters or digits in a row, where a separator counts as two
 * (the database's `search_text`).
 */
export const hasTrigram = (term: string): boolean =>
  /[\p{L}\p{N}]{3}/u.test(term.replaceAll(/[@._-]/g, 'qz'));

export interface SearchFilter {
  /** Lower case; null when nothing is searched for. */
  term: string | null;
  status: ContactStatus | null;
  /** ASCII, lower case; null for all. */
  domain: string | null;
  /** What a filter by verdict comes to; null when there is none. */
  profiles: ChosenProfiles | null;
  source: string | null;
  importId: number | null;
  /** Days of London, both included. */
  addedFrom: string | null;
  addedTo: string | null;
  /** Every contact that the import and the days let through has an id in here, and others may; null for all. */
  ids: IdRange | null;
  /** Only what comes after this place in the order asked for; null for all. */
  after: PlaceInOrder | null;
}

/** A contact's place in the order of a list, which is one for each: by when it was added, or by domain, local part and then that. */
export type PlaceInOrder = { order: 'asc' | 'desc'; id: number } & (
  | { sort: 'createdAt' }
  | { sort: 'address'; domain: string; local: string }
);

/** Both ends included; empty when the last is before the first. */
export interface IdRange {
  first: number;
  last: number;
}

/** Whether a filter asks for something of which no rollup knows the number. */
export const isNarrowed = (filter: SearchFilter): boolean =>
  [filter.source, filter.importId, filter.addedFrom, filter.addedTo].some((value) => value !== null);

/** The profiles that a filter by verdict lets through, and how many contacts have them. */
export interface ChosenProfiles {
  ids: number[];
  contacts: number;
}

/** The part of a filter that is about the last verification. */
export type VerdictFilter = Pick<ContactFilter, 'verdict' | 'reason' | 'kind' | 'uk' | 'riskFrom' | 'riskTo'>;

export function filtersByVerdict(filter: VerdictFilter): boolean {
  const { verdict, reason, kind, uk, riskFrom, riskTo } = filter;
  return [verdict, reason, kind, uk, riskFrom, riskTo].some((value) => value !== undefined);
}

/** Which profiles a filter lets through. */
export function chooseProfiles(
  filter: VerdictFilter,
  profiles: readonly {
    id: number;
    verdict: string;
    reasons: readonly string[];
    risk: number;
    kind: string | null;
    uk: string | null;
    contacts: number;
  }[],
): ChosenProfiles {
  const isAsked = (asked: string | undefined, held: string | null) => asked === undefined || asked === held;
  const chosen = profiles.filter(
    (profile) =>
      isAsked(filter.verdict, profile.verdict) &&
      isAsked(filter.kind, profile.kind) &&
      isAsked(filter.uk, profile.uk) &&
      (filter.reason === undefined || profile.reasons.includes(filter.reason)) &&
      profile.risk >= (filter.riskFrom ?? 0) &&
      profile.risk <= (filter.riskTo ?? 100),
  );
  return {
    ids: chosen.map(({ id }) => id),
    contacts: chosen.reduce((sum, { contacts }) => sum + contacts, 0),
  };
}

/**
 * The filter in the form in which contacts are stored, but for its profiles and ids, which only the database knows, and its place. Addresses are lower case with domains in their ASCII form, so a term
 * beyond ASCII is searched as typed and a domain is converted; `toAscii` answers '' for what cannot be a domain.
 */
export function readFilter(filter: ContactFilter, toAscii: (domain: string) => string): SearchFilter {
  const domain = filter.domain?.trim().toLowerCase() ?? '';
  return {
    term: searchTerm(filter.search ?? '', toAscii),
    status: filter.status ?? null,
    domain: domain === '' ? null : toAscii(domain) || domain,
    profiles: null,
    // NUL and lone surrogates cannot be stored, so no source holds them.
    source: filter.source?.replaceAll('\0', '').toWellFormed() ?? null,
    importId: filter.importId ?? null,
    addedFrom: filter.addedFrom ?? null,
    addedTo: filter.addedTo ?? null,
    ids: null,
    after: null,
  };
}

function searchTerm(text: string, toAscii: (domain: string) => string): string | null {
  // NUL and lone surrogates cannot be stored, so no address holds them; without them the rest may still be found.
  const term = text.replaceAll('\0', '').toWellFormed().trim().normalize('NFC').toLowerCase();
  if (term === '') return null;
  const at = term.lastIndexOf('@');
  const domain = term.slice(at + 1);
  if (at < 0 || !/[^\x00-\x7f]/.test(domain)) return term;
  const ascii = toAscii(domain);
  return ascii === '' ? term : term.slice(0, at + 1) + ascii;
}

/** Columns of a file that have a field of the contact; every other that is kept is an extra field. */
const ownFields = new Set(['email', 'name', 'source', 'date', 'notes', 'status', 'created']);

/** The extra fields there are: those found on contacts, and those that an import keeps; A to Z, each once. */
export function fieldNames(found: readonly string[], allowedColumns: readonly string[]): string[] {
  const allowed = allowedColumns
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && !ownFields.has(name));
  return [...new Set([...found, ...allowed])].sort((one, other) => one.localeCompare(other, 'en-GB'));
}

/** Percent by which `now` differs from `before`, one decimal; 100 when there was nothing before and is now. */
export function percentChange(before: number | null, now: number): number {
  if (before === null || before === now) return 0;
  if (before === 0) return 100;
  return Math.round(((now - before) / before) * 1000) / 10;
}

const londonDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/** `contacts-2026-03-09.csv`, by the calendar of London; of several, `contacts-2026-03-09-part-001.csv`. */
export function exportFileName(now: Date, ending: string, part?: { number: number; of: number }): string {
  const day = londonDay.format(now);
  if (!part) return `contacts-${day}.${ending}`;
  const digits = Math.max(3, String(part.of).length);
  return `contacts-${day}-part-${String(part.number).padStart(digits, '0')}.${ending}`;
}

/** How long what is removed stays in the bin, to stand at the end of a sentence; `days` while that is known. */
export const binPeriod = (days: number | undefined): string =>
  days === undefined ? 'for a time' : `for ${days} ${days === 1 ? 'day' : 'days'}`;

/** What a merge may take from one contact into another. */
export type MergeableFields = Pick<StoredContact, 'name' | 'source' | 'date' | 'notes' | 'attributes'>;

/** From which contact (by id) a field is to be taken. */
export type FieldChoice = Partial<Record<'name' | 'source' | 'date' | 'notes', number | undefined>>;

/**
 * The fields of a merged contact: what was chosen; else the kept contact's own; else the first of the others that has any.
 * Attributes are put together, the kept contact's before the others'.
 */
export function mergedFields(
  kept: MergeableFields & { id: number },
  others: readonly (MergeableFields & { id: number })[],
  choice: FieldChoice,
): MergeableFields {
  const all = [kept, ...others];
  const field = (name: 'name' | 'source' | 'date' | 'notes'): string | null => {
    const chosen = all.find(({ id }) => id === choice[name]);
    return chosen
      ? chosen[name]
      : (all.map((one) => one[name]).find((text) => text !== null && text !== '') ?? null);
  };
  const attributes = Object.assign({}, ...all.toReversed().map((one) => one.attributes ?? {}));
  return {
    name: field('name'),
    source: field('source'),
    date: field('date'),
    notes: field('notes'),
    attributes: Object.keys(attributes).length > 0 ? attributes : null,
  };
}

/** Which of several contacts of one person to keep: the one about which most is known, then the oldest. */
export function bestToKeep<T extends MergeableFields & { id: number; state: number }>(
  contacts: readonly T[],
): T | undefined {
  const known = ({ name, source, date, notes, attributes, state }: T) =>
    [name, source, date, notes].filter(Boolean).length +
    Object.keys(attributes ?? {}).length +
    (state === 0 ? 10 : 0);
  return [...contacts].sort((one, other) => known(other) - known(one) || one.id - other.id)[0];
}
