import type { VerificationResult } from './contract.ts';

/**
 * How many contacts of a run have each verdict, reason, UK class and kind. Stored with the run, so
 * that it can resume.
 */
export type RunTally = Pick<
  VerificationResult,
  'contacts' | 'verdicts' | 'reasons' | 'uk' | 'kinds' | 'suggestions'
>;

export const emptyTally = (): RunTally => ({
  contacts: 0,
  verdicts: {},
  reasons: {},
  uk: {},
  kinds: {},
  suggestions: 0,
});

interface CountedProfile {
  verdict: string;
  reasons: readonly string[];
  uk: string | null;
  kind: string | null;
}

const add = (tally: Record<string, number>, key: string, count: number): void => {
  tally[key] = (tally[key] ?? 0) + count;
};

/**
 * Adds contacts with one profile to the tally. A profile does not say how many have a suggestion.
 */
export function addProfile(tally: RunTally, profile: CountedProfile, contacts: number): void {
  tally.contacts += contacts;
  add(tally.verdicts, profile.verdict, contacts);
  for (const reason of profile.reasons) add(tally.reasons, reason, contacts);
  if (profile.uk !== null) add(tally.uk, profile.uk, contacts);
  if (profile.kind !== null) add(tally.kinds, profile.kind, contacts);
}

/** Adds a batch of judged contacts to the tally. */
export function addRows(
  tally: RunTally,
  rows: { profiles: readonly CountedProfile[]; counts: readonly number[] },
): void {
  for (const [place, profile] of rows.profiles.entries()) addProfile(tally, profile, rows.counts[place] ?? 0);
}

/**
 * How many single addresses each person may have verified: the largest burst, and how many are
 * given back every second.
 */
export interface Allowance {
  burst: number;
  perSecond: number;
}
