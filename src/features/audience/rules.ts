import type { ContactStatus } from '#features/contacts/contract.ts';
import type { ContactFilter } from './contract.ts';
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
