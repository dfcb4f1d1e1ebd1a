import type { SuppressionReason } from '../contract.ts';

/** Why suppressed contacts are suppressed. Each counts once. */
export interface SuppressedBy {
  /** By the reason of their own entry. */
  reasons: Partial<Record<SuppressionReason, number>>;
  /** Those without an entry of their own, whose domain is on the list. */
  domains: number;
  isEstimate: boolean;
}

/** Entries of one reason, and how many contacts of an audience some of them mean. */
export interface ReasonSample {
  reason: SuppressionReason;
  /** All entries with this reason. */
  entries: number;
  looked: number;
  contacts: number;
}

/** Fewer contacts in a sample say nothing about the others. */
export const fewestFound = 100;

/** The exact figures: what no entry explains is suppressed by its domain. */
export function exactBy(reasons: SuppressedBy['reasons'], suppressed: number): SuppressedBy {
  const explained = Object.values(reasons).reduce((sum, contacts) => sum + contacts, 0);
  return { reasons, domains: Math.max(0, suppressed - explained), isEstimate: false };
}

/**
 * What samples say about all suppressed contacts, with two digits each. Null where they found too
 * few. Without domains on the list, the reasons explain all of them.
 */
export function estimatedBy(
  samples: readonly ReasonSample[],
  suppressed: number,
  hasDomains: boolean,
): SuppressedBy | null {
  if (samples.reduce((sum, { contacts }) => sum + contacts, 0) < fewestFound) return null;
  const raw = samples
    .filter(({ contacts }) => contacts > 0)
    .map(({ reason, entries, looked, contacts }) => ({ reason, contacts: (contacts / looked) * entries }));
  const sum = raw.reduce((all, { contacts }) => all + contacts, 0);
  const scale = sum > suppressed || !hasDomains ? suppressed / sum : 1;
  const reasons = Object.fromEntries(
    raw.map(({ reason, contacts }) => [reason, twoDigits(contacts * scale)] as const),
  );
  return { reasons, domains: twoDigits(Math.max(0, suppressed - sum * scale)), isEstimate: true };
}

const twoDigits = (value: number): number => Number(Math.round(value).toPrecision(2));
