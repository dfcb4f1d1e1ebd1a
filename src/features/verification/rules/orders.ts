import type { Verdict } from '#features/addresses/rules.ts';

/** From the best to the worst, as the verdicts are told. */
const ranks: Record<Verdict, number> = { valid: 0, unknown: 1, risky: 2, invalid: 3 };

interface RankedProfile {
  id: number;
  verdict: string;
  risk: number;
}

const rankOf = ({ verdict }: RankedProfile): number => ranks[verdict as Verdict];

/** Profiles from the best verdict to the worst, those alike by their risk. */
export const byVerdict = <P extends RankedProfile>(profiles: readonly P[]): P[] =>
  profiles.toSorted((a, b) => rankOf(a) - rankOf(b) || a.risk - b.risk || a.id - b.id);

/** Profiles from the lowest risk to the highest, those alike by their verdict. */
export const byRisk = <P extends RankedProfile>(profiles: readonly P[]): P[] =>
  profiles.toSorted((a, b) => a.risk - b.risk || rankOf(a) - rankOf(b) || a.id - b.id);
