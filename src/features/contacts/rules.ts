import type { UkClass } from '#features/addresses/contract.ts';
import { ukClass } from '#features/addresses/rules.ts';
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
  };
}

/** True for a term that the trigram index can tell blocks apart by: three letters or digits in a row. */
export const hasTrigram = /[\p{L}\p{N}]{3}/u;

export interface SearchFilter {
  /** Lower case; null when nothing is searched for. */
  term: string | null;
  status: ContactStatus | null;
  /** ASCII, lower case; null for all. */
  domain: string | null;
}

/**
 * The filter in the form in which contacts are stored. Addresses are lower case with domains in their ASCII form, so a term
 * beyond ASCII is searched as typed and a domain is converted; `toAscii` answers '' for what cannot be a domain.
 */
export function readFilter(filter: ContactFilter, toAscii: (domain: string) => string): SearchFilter {
  const domain = filter.domain?.trim().toLowerCase() ?? '';
  return {
    term: searchTerm(filter.search ?? '', toAscii),
    status: filter.status ?? null,
    domain: domain === '' ? null : toAscii(domain) || domain,
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

/** Percent by which `now` differs from `before`, one decimal; 100 when there was nothing before and is now. */
export function percentChange(before: number | null, now: number): number {
  if (before === null || before === now) return 0;
  if (before === 0) return 100;
  return Math.round(((now - before) / before) * 1000) / 10;
}

/** `email-database-2026-03-09.csv`, by the calendar of London. */
export function exportFileName(now: Date): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' }).format(now);
  return `email-database-${day}.csv`;
}
