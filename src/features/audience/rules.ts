import { reservedNames } from '#features/contacts/rules/contact-change.ts';
import { fieldOfColumn } from '#features/contacts/rules/extra-columns.ts';
import type { ContactFilter } from './contract.ts';

/** Whether a filter asks for what the last verification found. */
export function filtersByVerdict(filter: ContactFilter): boolean {
  const { verdict, reason, kind, uk, riskFrom, riskTo } = filter;
  return [verdict, reason, kind, uk, riskFrom, riskTo].some((value) => value !== undefined);
}

/**
 * The extra fields there are: those found on contacts and those that an import keeps. Sorted A to
 * Z, each once.
 */
export function fieldNames(found: readonly string[], allowedColumns: readonly string[]): string[] {
  const there = new Set(found.map((name) => name.toLowerCase()));
  const allowed = allowedColumns
    .map((name) => fieldOfColumn(name.trim().toLowerCase()))
    .filter((name) => name !== '' && !reservedNames.has(name) && !there.has(name));
  return [...new Set([...found, ...allowed])].sort((one, other) => one.localeCompare(other, 'en-GB'));
}
