import type { SuppressionSummary } from '../contract.ts';

/** The number of entries, whatever their reason. */
export const sumOf = (counts: Record<string, number | undefined>): number =>
  Object.values(counts).reduce((sum: number, one) => sum + (one ?? 0), 0);

/**
 * All entries of the suppression list: addresses, domains and hashes. Not the contacts they
 * suppress.
 */
export const entriesOn = ({ emails, domains, hashes }: SuppressionSummary): number =>
  sumOf(emails) + sumOf(domains) + sumOf(hashes);
