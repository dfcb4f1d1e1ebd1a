import type { Verdict } from '#features/addresses/rules/verdict.ts';

/** From this share on, receivers think less of a sender. */
export const mostBounces = 0.02;

/** Verdicts whose contacts can be left out, the worst first. */
export const leftOutVerdicts = ['invalid', 'risky', 'unknown'] as const satisfies readonly Verdict[];
export type LeftOutVerdict = (typeof leftOutVerdicts)[number];

/** What is known of a recipient, the worst first. */
export const bounceVerdicts = [...leftOutVerdicts, 'unverified', 'valid'] as const satisfies readonly (
  | Verdict
  | 'unverified'
)[];
type BounceVerdict = (typeof bounceVerdicts)[number];

/** Recipients by verdict. */
export type ByVerdict = Readonly<Record<BounceVerdict, number>>;

/**
 * What part of the messages comes back, by verdict. Estimates: what a check without asking the
 * receiving server leaves open. A workspace with a history has a share of its own for those that
 * nobody verified.
 */
const shares: Readonly<Record<BounceVerdict, number>> = {
  valid: 0.005,
  unverified: 0.03,
  unknown: 0.03,
  risky: 0.08,
  invalid: 0.6,
};

interface Predicted {
  recipients: number;
  bounces: number;
  /** 0 to 1. */
  share: number;
}

export interface Prediction extends Predicted {
  /** What makes it up, the worst first. The bounces add up to those of all. */
  byVerdict: { verdict: BounceVerdict; contacts: number; bounces: number }[];
  /** The fewest verdicts to leave out so that fewer come back. Null where that is not the way. */
  leaveOut: { verdicts: LeftOutVerdict[]; contacts: number } | null;
  /** What remains once they are left out. */
  after: Pick<Predicted, 'recipients' | 'share'> | null;
}

/** How many messages come back. `ownShare`: of earlier campaigns of the workspace, if there are. */
export function predictBounces(people: ByVerdict, ownShare: number | null): Prediction {
  const byVerdict = verdictsOf(people, ownShare);
  const whole = { ...predictedOf(people, ownShare), byVerdict };
  if (whole.share < mostBounces) return { ...whole, leaveOut: null, after: null };
  let left = people;
  const verdicts: LeftOutVerdict[] = [];
  for (const verdict of leftOutVerdicts) {
    if (left[verdict] === 0) continue;
    verdicts.push(verdict);
    left = { ...left, [verdict]: 0 };
    const { recipients, share } = predictedOf(left, ownShare);
    if (recipients > 0 && share < mostBounces) {
      const leaveOut = { verdicts, contacts: whole.recipients - recipients };
      return { ...whole, leaveOut, after: { recipients, share } };
    }
  }
  return { ...whole, leaveOut: null, after: null };
}

function predictedOf(people: ByVerdict, ownShare: number | null): Predicted {
  const recipients = bounceVerdicts.reduce((sum, verdict) => sum + people[verdict], 0);
  const expected = bounceVerdicts.reduce(
    (sum, verdict) => sum + people[verdict] * shareOf(verdict, ownShare),
    0,
  );
  return { recipients, bounces: Math.round(expected), share: recipients === 0 ? 0 : expected / recipients };
}

const shareOf = (verdict: BounceVerdict, ownShare: number | null): number =>
  verdict === 'unverified' && ownShare !== null ? ownShare : shares[verdict];

/** Sums are rounded, and not the parts: so the parts add up. */
function verdictsOf(people: ByVerdict, ownShare: number | null): Prediction['byVerdict'] {
  let expected = 0;
  return bounceVerdicts
    .map((verdict) => {
      const before = Math.round(expected);
      expected += people[verdict] * shareOf(verdict, ownShare);
      return { verdict, contacts: people[verdict], bounces: Math.round(expected) - before };
    })
    .filter(({ contacts }) => contacts > 0);
}
