import { type UkClass, ukClasses } from '#features/addresses/contract.ts';
import { ukClass } from '#features/addresses/rules/uk.ts';
import { addressKinds, verdictReasons } from '#features/addresses/rules/verdict.ts';
import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { Contact, ContactStatus } from './contract.ts';
import { basesByCode } from './rules/bases.ts';

export { type Names, newNames } from './rules/changed-names.ts';
export { splitName, splitPlainName } from './rules/names.ts';

/**
 * How many extra fields the contacts of a workspace have: a program could give names without end,
 * and each is a column of every export. A few more get in when several imports end at once.
 */
export const mostFieldNames = 1000;

/** Why a workspace with so many extra fields takes no more of these, in words. Null: it does. */
export function fieldNamesProblem(there: number, added: readonly string[]): string | null {
  if (added.length === 0 || there + added.length <= mostFieldNames) return null;
  const [first, ...others] = added;
  const which = `“${first}”${others.length === 0 ? '' : ` and ${formatCount(others.length, 'other')}`}`;
  return (
    `A workspace has at most ${formatNumber(mostFieldNames)} extra fields, and this one has no room for ${which}. ` +
    'Use those that it has. One that no contact has any more is forgotten after 30 days.'
  );
}

/** What a stored contact says about its own address. */
export const contactStates = { valid: 0, invalid: 1, copy: 2 } as const;

/** A contact as stored, with what was found out about its suppression. */
export interface StoredContact {
  id: number;
  local: string;
  domain: string;
  address: string | null;
  state: number;
  isSuppressed: boolean;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  source: string | null;
  date: string | null;
  attributes: Record<string, string> | null;
  notes: string | null;
  importId: number | null;
  createdAt: Date;
  lists: StoredMembership[];
  tags: (StoredMembership & { color: string })[];
  marketing: StoredBasis;
  verification: StoredVerification | null;
}

/** What is said of a contact's marketing basis. */
export interface StoredBasis {
  /** As a number: its place among `basesByCode`. */
  basis: number;
  source: string | null;
  givenOn: string | null;
  recordedAt: Date | null;
}

/** A list that a contact is on, or a tag that it has. */
export interface StoredMembership {
  id: number;
  name: string;
  /** As JSON has it. */
  addedAt: string;
  source: Contact['lists'][number]['source'];
}

/** A contact's verdict as stored. */
export interface StoredVerification {
  verdict: NonNullable<Contact['verification']>['verdict'];
  /** Codes. One that this version no longer knows is not shown. */
  reasons: string[];
  risk: number;
  kind: string | null;
  uk: string | null;
  suggestion: string | null;
  checkedAt: Date;
}

/** The status shown. Suppressed wins, because it keeps people from being mailed. */
export function contactStatus(state: number, isSuppressed: boolean): ContactStatus {
  if (isSuppressed) return 'suppressed';
  if (state === contactStates.invalid) return 'invalid';
  return state === contactStates.copy ? 'duplicate' : 'active';
}

/** The address of a contact whose text was stored only if it differs from the identity key. */
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
    firstName: stored.firstName,
    lastName: stored.lastName,
    source: stored.source,
    date: stored.date,
    attributes: stored.attributes ?? {},
    ukClass: ukClass(stored.domain) satisfies UkClass,
    importId: stored.importId,
    lists: stored.lists.map(presentMembership),
    tags: stored.tags.map(presentMembership),
    marketing: presentBasis(stored.marketing),
    verification: stored.verification && presentVerification(stored.verification),
  };
}

const presentMembership = <T extends StoredMembership>(membership: T): T => ({
  ...membership,
  addedAt: new Date(membership.addedAt).toISOString(),
});

const presentBasis = ({ basis, source, givenOn, recordedAt }: StoredBasis): Contact['marketing'] => ({
  basis: basesByCode[basis] ?? 'unknown',
  source,
  givenOn,
  recordedAt: recordedAt?.toISOString() ?? null,
});

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

export const contactsInWords = (count: number): string => formatCount(count, 'contact');

/**
 * Contacts that share a block are those with the same id / 16, so two blocks overlap only when they
 * cover the same 16. The database's `index_recent_blocks` uses the same number. Smaller blocks find
 * a rare term sooner, because fewer words stand side by side by chance (decision 7). The index
 * hardly grows.
 */
export const idsPerBlock = 16;
