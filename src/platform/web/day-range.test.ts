import { describe, expect, it } from 'vitest';
import { dayRangeWords, recentRanges } from './day-range.ts';

describe('a range of days', () => {
  it.each([
    ['2026-03-01/2026-03-31', '1 Mar 2026 to 31 Mar 2026'],
    ['2026-03-01/', 'from 1 Mar 2026'],
    ['/2026-03-31', 'up to 31 Mar 2026'],
    ['2026-03-01/2026-03-01', '1 Mar 2026'],
    ['/', ''],
  ])('%s reads %s', (range, words) => expect(dayRangeWords(range)).toBe(words));

  it('up to now is counted with today, over the turn of the year', () => {
    expect(recentRanges(new Date(2026, 0, 3, 23, 59)).map(({ value }) => value)).toEqual([
      '2026-01-03/2026-01-03',
      '2025-12-28/',
      '2025-12-05/',
      '2026-01-01/',
    ]);
  });
});
