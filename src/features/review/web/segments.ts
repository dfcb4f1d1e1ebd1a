import type { Segment } from '#platform/web/components/fate-bar.tsx';

const verdicts = [
  { key: 'valid', label: 'Valid', colour: 'var(--ui-chart-1)' },
  { key: 'risky', label: 'Risky', colour: 'var(--ui-fate-non-uk)' },
  { key: 'invalid', label: 'Invalid', colour: 'var(--ui-fate-invalid)' },
  { key: 'unknown', label: 'Unknown', colour: 'var(--ui-chart-3)' },
] as const;

/** The verdicts as parts of a bar. `unverified` contacts come last, if there may be any. */
export function verdictSegments(counts: Record<string, number>, unverified?: number): Segment[] {
  const parts: Segment[] = verdicts.map((verdict) => ({ ...verdict, value: counts[verdict.key] ?? 0 }));
  if (unverified === undefined) return parts;
  return [
    ...parts,
    { key: 'unverified', label: 'Not verified', colour: 'var(--ui-chart-rest)', value: unverified },
  ];
}

const classes = [
  { key: 'uk', label: 'UK', colour: 'var(--ui-class-uk)' },
  { key: 'likely_uk', label: 'Likely UK', colour: 'var(--ui-class-likely)' },
  { key: 'global', label: 'Global', colour: 'var(--ui-class-global)' },
  { key: 'not_uk', label: 'Not UK', colour: 'var(--ui-class-not-uk)' },
] as const;

export const ukSegments = (counts: Record<string, number>): Segment[] =>
  classes.map((one) => ({ ...one, value: counts[one.key] ?? 0 }));
