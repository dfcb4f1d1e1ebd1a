import { describe, expect, it } from 'vitest';
import {
  capitalise,
  formatAbout,
  formatBytes,
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatFullDate,
  formatLondonTime,
  formatMoment,
  formatNumber,
  formatPounds,
  formatShare,
  formatShortDate,
  formatWhen,
  initials,
} from './format.ts';

// Local times on purpose: screens use the device's own time zone.
const now = new Date(2026, 10, 20, 15, 30);

describe('numbers', () => {
  it('that are estimates claim no more than they know', () => {
    expect(formatAbout(1_204_331)).toBe('about 1,204,000');
    expect(formatAbout(15_000_000)).toBe('about 15,000,000');
    expect(formatAbout(52_349)).toBe('about 52,350');
    expect(formatAbout(412)).toBe('about 412');
  });

  it('have thousands separators', () => {
    expect(formatNumber(15_000_000)).toBe('15,000,000');
    expect(formatPounds(1234.5)).toBe('£1,234.50');
    expect(formatCount(1, 'contact')).toBe('1 contact');
    expect(formatCount(1204, 'contact')).toBe('1,204 contacts');
  });

  it.each([
    [0, '0'],
    [38_406, '38,406'],
    [99_999, '99,999'],
    [100_000, '100k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_411_608, '1.41M'],
    [15_000_000, '15M'],
  ])('%i fits where there is little room as %s', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });

  it.each([
    [201_944, 248_310, '81.3%'],
    [0, 248_310, '0%'],
    [3, 0, '0%'],
    [1, 15_000_000, '<0.1%'],
    [14_999_999, 15_000_000, '>99.9%'],
    [5, 5, '100%'],
  ])('%i of %i is %s: a part never reads as nothing or as all', (part, of, text) => {
    expect(formatShare(part, of)).toBe(text);
  });

  it('change with a sign, a minus being a minus', () => {
    expect(formatChange(412)).toBe('+412');
    expect(formatChange(-3.1, '%')).toBe('−3.1%');
    expect(formatChange(0)).toBe('0');
  });

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [14_600_000, '14.6 MB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [900, '0.9 s'],
    [19_400, '19 s'],
    [240_000, '4 min'],
    [7_500_000, '2 h 5 min'],
    [7_200_000, '2 h'],
  ])('%i ms last %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe('dates', () => {
  it.each([
    [new Date(2026, 10, 20, 14, 6), '14:06'],
    [new Date(2026, 10, 20, 0, 0), '00:00'],
    [new Date(2026, 10, 19, 23, 59), '19 Nov'],
    [new Date(2026, 0, 1), '1 Jan'],
    [new Date(2025, 10, 12), '12 Nov 2025'],
  ])('in a table %s is short', (date, text) => {
    expect(formatShortDate(date, now)).toBe(text);
  });

  it('are full in a tooltip and worded in a sentence', () => {
    const date = new Date(2026, 10, 20, 14, 6);
    expect(formatFullDate(date)).toBe('20 November 2026 at 14:06');
    expect(formatWhen(date, now)).toBe('today at 14:06');
    expect(formatWhen(new Date(2026, 10, 19, 9, 12), now)).toBe('yesterday at 09:12');
    expect(formatWhen(new Date(2026, 10, 1), now)).toBe('on 1 Nov 2026');
    expect(formatMoment(new Date(2026, 10, 20, 14, 6), now)).toBe('14:06');
    expect(formatMoment(new Date(2026, 10, 18, 10, 14), now)).toBe('18 Nov, 10:14');
    expect(formatMoment(new Date(2025, 10, 18, 10, 14), now)).toBe('18 Nov 2025, 10:14');
  });

  it('that are none show nothing rather than "Invalid Date"', () => {
    expect(formatShortDate('soon', now)).toBe('');
    expect(formatFullDate('')).toBe('');
  });
});

describe('words', () => {
  it('begin with a capital and keep the rest', () => {
    expect(capitalise('in-progress')).toBe('In-progress');
    expect(capitalise('')).toBe('');
  });

  it.each([
    ['Harbour & Pine', 'HP'],
    ['Tesco', 'T'],
    ['eagle-supplies.co.uk', 'ES'],
    ['example.com', 'E'],
    ['St. Ives', 'SI'],
    ['The Old Mill Shop', 'TS'],
    ['émile', 'É'],
    ['&', ''],
  ])('%s stands as %s', (name, text) => {
    expect(initials(name)).toBe(text);
  });
});

it('times of London are the same wherever the device is', () => {
  expect(formatLondonTime('2026-07-01T09:00:00Z')).toMatch(/^Wednesday,? 1 July 2026 at 10:00$/);
});
