import type { Verdict } from '#features/addresses/rules/verdict.ts';

/** From this share on, receivers think less of a sender. */
export const mostBounces = 0.02;

/** Verdicts whose contacts can be left out, the worst first. */
export const leftOutVerdicts = ['invalid', 'risky', 'unknown'] as const satisfies readonly Verdict[];
export type LeftOutVerdict = (typeof leftOutVerdicts)[number];

/** Recipients by verdict. */
export type ByVerdict = Readonly<Record<Verdict | 'unverified', number>>;

/**
 * What part of the messages comes back, by verdict. Estimates: what a check without asking the
 * receiving server leaves open. A workspace with a history has a share of its own for those that
 * nobody verified.
 */
const shares: Readonly<Record<keyof ByVerdict, number>> = {
  valid: 0.005,
  unverified: 0.03,
  unknown: 0.03,
  risky: 0.08,
  invalid: 0.6,
};

export interface Prediction {
  recipients: number;
  bounces: number;
  /** 0 to 1. */
  share: number;
  /** The fewest verdicts to leave out so that fewer come back. Null where that is not the way. */
  leaveOut: { verdicts: LeftOutVerdict[]; contacts: number } | null;
}

/** How many messages come back. `ownShare`: of earlier campaigns of the workspace, if there are. */
export function predictBounces(people: ByVerdict, ownShare: number | null): Prediction {
  const whole = predictedOf(people, ownShare);
  if (whole.share < mostBounces) return { ...whole, leaveOut: null };
  let left = people;
  const verdicts: LeftOutVerdict[] = [];
  for (const verdict of leftOutVerdicts) {
    if (left[verdict] === 0) continue;
    verdicts.push(verdict);
    left = { ...left, [verdict]: 0 };
    const rest = predictedOf(left, ownShare);
    if (rest.recipients > 0 && rest.share < mostBounces)
      return { ...whole, leaveOut: { verdicts, contacts: whole.recipients - rest.recipients } };
  }
  return { ...whole, leaveOut: null };
}

function predictedOf(people: ByVerdict, ownShare: number | null): Omit<Prediction, 'leaveOut'> {
  const verdicts = Object.keys(people) as (keyof ByVerdict)[];
  const shareOf = (verdict: keyof ByVerdict) =>
    verdict === 'unverified' && ownShare !== null ? ownShare : shares[verdict];
  const recipients = verdicts.reduce((sum, verdict) => sum + people[verdict], 0);
  const expected = verdicts.reduce((sum, verdict) => sum + people[verdict] * shareOf(verdict), 0);
  return { recipients, bounces: Math.round(expected), share: recipients === 0 ? 0 : expected / recipients };
}
