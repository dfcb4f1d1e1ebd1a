import { describe, expect, it } from 'vitest';
import { dayRangeWords, firstMonthShown, markedDays, recentRanges } from './day-range.ts';

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

  it.each([
    ['2026-03-01/2026-03-31', ['2026-03-01', '2026-03-31']],
    ['2026-03-01/', ['2026-03-01', '2026-06-15']],
    ['2026-07-01/', ['2026-07-01', '2026-07-01']],
    ['/2026-03-31', ['2026-03-31', '2026-03-31']],
    ['/', null],
    ['', null],
  ])('%s is marked in a calendar from its first to its last day', (range, days) =>
    expect(markedDays(range, '2026-06-15')).toEqual(days),
  );

  it.each([
    ['2026-03-10', 2, '2026-03-01'],
    ['2026-06-10', 2, '2026-05-01'],
    ['2026-06-10', 1, '2026-06-01'],
    ['2027-01-01', 1, '2026-06-01'],
    ['2025-12-31', 2, '2025-12-01'],
  ])('of %s is shown with %i months side by side from %s on', (day, months, first) =>
    expect(firstMonthShown(day, '2026-06-15', months)).toBe(first),
  );

  it('is shown over the turn of the year', () => {
    expect(firstMonthShown('2026-01-03', '2026-01-03', 2)).toBe('2025-12-01');
  });
});
