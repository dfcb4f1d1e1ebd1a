import { expect, it } from 'vitest';
import { verdicts } from '#features/addresses/rules.ts';
import { byRisk, byVerdict } from './orders.ts';

const profiles = [
  { id: 7, verdict: 'invalid', risk: 100 },
  { id: 1, verdict: 'risky', risk: 60 },
  { id: 2, verdict: 'valid', risk: 0 },
  { id: 3, verdict: 'unknown', risk: 30 },
  { id: 4, verdict: 'risky', risk: 30 },
  { id: 5, verdict: 'valid', risk: 20 },
  { id: 6, verdict: 'valid', risk: 0 },
];
const idsOf = (sorted: { id: number }[]) => sorted.map(({ id }) => id);

it('sorts from the best verdict to the worst, and within one by risk', () => {
  expect(idsOf(byVerdict(profiles))).toEqual([2, 6, 5, 3, 4, 1, 7]);
});

it('sorts from the lowest risk to the highest, and alike ones by verdict', () => {
  expect(idsOf(byRisk(profiles))).toEqual([2, 6, 5, 3, 4, 1, 7]);
  expect(
    idsOf(
      byRisk([
        { id: 1, verdict: 'risky', risk: 30 },
        { id: 2, verdict: 'valid', risk: 30 },
      ]),
    ),
  ).toEqual([2, 1]);
});

it('knows a place for every verdict there is', () => {
  const all = verdicts.map((verdict, id) => ({ id, verdict, risk: 0 }));
  expect(byVerdict(all).map(({ verdict }) => verdict)).toEqual(['valid', 'unknown', 'risky', 'invalid']);
});
