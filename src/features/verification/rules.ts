import type { VerificationResult } from './contract.ts';

/** How many contacts of a run have each verdict, reason, UK class and kind; kept with the run, so that it can go on. */
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

/** Adds contacts with one profile to the tally. */
export function addProfile(tally: RunTally, profile: CountedProfile, contacts: number): void {
  tally.contacts += contacts;
  add(tally.verdicts, profile.verdict, contacts);
  for (const reason of profile.reasons) add(tally.reasons, reason, contacts);
  if (profile.reasons.includes('typo_suspected')) tally.suggestions += contacts;
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

/** Calls each caller may make at once, and how many of them are given back every second. */
export interface Allowance {
  burst: number;
  perSecond: number;
}

/**
 * A bucket of calls for each caller: empty, a call is refused until it has filled again. Answers the seconds to wait; 0 lets the call
 * through. Buckets that are full again are forgotten.
 */
export function createBuckets({ burst, perSecond }: Allowance): (key: string, nowMs: number) => number {
  const buckets = new Map<string, { calls: number; atMs: number }>();
  return (key, nowMs) => {
    const held = buckets.get(key);
    const calls = held ? Math.min(burst, held.calls + ((nowMs - held.atMs) / 1000) * perSecond) : burst;
    if (buckets.size > 10_000) {
      for (const [other, { calls: left, atMs }] of buckets) {
        if (left + ((nowMs - atMs) / 1000) * perSecond >= burst) buckets.delete(other);
      }
    }
    if (calls < 1) return Math.ceil((1 - calls) / perSecond);
    buckets.set(key, { calls: calls - 1, atMs: nowMs });
    return 0;
  };
}
