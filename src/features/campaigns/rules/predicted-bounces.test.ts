import { describe, expect, it } from 'vitest';
import { type ByVerdict, predictBounces } from './predicted-bounces.ts';

const nobody: ByVerdict = { valid: 0, unverified: 0, unknown: 0, risky: 0, invalid: 0 };

describe('predicted bounces', () => {
  it.each([
    ['nobody', nobody, 0, null],
    ['the verified', { ...nobody, valid: 1_000 }, 5, null],
    [
      'some invalid ones',
      { ...nobody, valid: 1_000, invalid: 100 },
      65,
      { verdicts: ['invalid'], contacts: 100 },
    ],
    [
      'invalid and risky ones',
      { ...nobody, valid: 1_000, invalid: 100, risky: 300 },
      89,
      { verdicts: ['invalid', 'risky'], contacts: 400 },
    ],
    ['a few risky ones', { ...nobody, valid: 1_000, risky: 20 }, 7, null],
    ['only invalid ones, of whom none would be left', { ...nobody, invalid: 10 }, 6, null],
    ['those that nobody verified', { ...nobody, unverified: 1_000 }, 30, null],
  ] as const)('of %s', (_name, people, bounces, leaveOut) => {
    expect(predictBounces(people, null)).toMatchObject({ bounces, leaveOut });
  });

  it('tell what makes them up, and what remains once some are left out', () => {
    const people = { ...nobody, valid: 1_001, unverified: 55, risky: 18, invalid: 31 };
    const { bounces, byVerdict, after } = predictBounces(people, null);
    expect(byVerdict.map(({ verdict, contacts }) => [verdict, contacts])).toEqual([
      ...[
        ['invalid', 31],
        ['risky', 18],
        ['unverified', 55],
        ['valid', 1_001],
      ],
    ]);
    expect(byVerdict[0]).toEqual({ verdict: 'invalid', contacts: 31, bounces: 19 });
    expect(byVerdict.reduce((sum, one) => sum + one.bounces, 0)).toBe(bounces);
    expect(after?.recipients).toBe(1_074);
    expect(after?.share).toBeCloseTo((1_001 * 0.005 + 55 * 0.03 + 18 * 0.08) / 1_074, 9);
    expect(predictBounces({ ...nobody, valid: 1_000 }, null).after).toBeNull();
    expect(predictBounces({ ...nobody, unverified: 1_000 }, null).after).toBeNull();
  });

  it('follow the history of the workspace for those that nobody verified', () => {
    const people = { ...nobody, unverified: 1_000 };
    expect(predictBounces(people, 0.001)).toMatchObject({ bounces: 1, share: 0.001, leaveOut: null });
    expect(predictBounces(people, 0.1).bounces).toBe(100);
  });
});
