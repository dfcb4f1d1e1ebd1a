import { describe, expect, it } from 'vitest';
import {
  addDays,
  daysShown,
  isDay,
  leavesBetween,
  londonDay,
  movedTo,
  spanOf,
  steppedBy,
  timesOn,
} from './calendar.ts';

const now = new Date('2026-11-24T12:00:00Z');
const none = { sendAt: null, sentAt: null, endedAt: null, spreadHours: null, byRecipientZone: false };
const span = (starts: string, ends = starts) => ({ starts: new Date(starts), ends: new Date(ends) });

describe('a campaign', () => {
  it('leaves at its time, and over its hours', () => {
    expect(spanOf({ ...none, status: 'draft' }, now)).toBeNull();
    const sendAt = '2026-11-25T09:00:00Z';
    expect(spanOf({ ...none, status: 'scheduled', sendAt, spreadHours: 6 }, now)).toEqual(
      span(sendAt, '2026-11-25T15:00:00Z'),
    );
    // A draft whose schedule was taken back.
    expect(spanOf({ ...none, status: 'draft', sendAt }, now)).toBeNull();
  });

  it('leaves until now while it is being sent, and not for the tries after its hours', () => {
    const sentAt = '2026-11-23T09:00:00Z';
    expect(spanOf({ ...none, status: 'sending', sentAt }, now)).toEqual(span(sentAt, now.toISOString()));
    const endedAt = '2026-11-25T20:00:00Z';
    expect(spanOf({ ...none, status: 'completed', sentAt, endedAt }, now)).toEqual(span(sentAt));
    const cancelled = { ...none, status: 'cancelled', sentAt, spreadHours: 6 } as const;
    const early = '2026-11-23T10:00:00Z';
    expect(spanOf({ ...cancelled, endedAt: early }, now)).toEqual(span(sentAt, early));
  });

  it('is on the days of London on which it leaves', () => {
    // Half past midnight of 1 July there.
    const summer = span('2026-06-30T23:30:00Z');
    expect(leavesBetween(summer, '2026-07-01', '2026-07-01')).toBe(true);
    expect(leavesBetween(summer, undefined, '2026-06-30')).toBe(false);
    const overnight = span('2026-11-24T20:00:00Z', '2026-11-25T04:00:00Z');
    expect(leavesBetween(overnight, '2026-11-25', undefined)).toBe(true);
    // It ends with the day.
    expect(leavesBetween(span('2026-11-24T20:00:00Z', '2026-11-25T00:00:00Z'), '2026-11-25', undefined)).toBe(
      false,
    );
  });

  it('tells its times on each of its days', () => {
    const long = span('2026-11-24T20:00:00Z', '2026-11-26T04:00:00Z');
    expect(['2026-11-24', '2026-11-25', '2026-11-26'].map((day) => timesOn(long, day))).toEqual([
      'from 20:00',
      'all day',
      'until 04:00',
    ]);
    expect(timesOn(span('2026-07-01T09:00:00Z'), '2026-07-01')).toBe('10:00');
    expect(timesOn(span('2026-11-24T18:00:00Z', '2026-11-25T00:00:00Z'), '2026-11-24')).toBe('18:00–24:00');
  });

  it('keeps its time by the clock when it moves over a night when clocks change', () => {
    const at = new Date('2026-03-27T10:00:00Z');
    expect(movedTo(at, '2026-03-30').toISOString()).toBe('2026-03-30T09:00:00.000Z');
    expect(movedTo(new Date('2026-10-24T09:00:00Z'), '2026-10-26').toISOString()).toBe(
      '2026-10-26T10:00:00.000Z',
    );
  });
});

describe('the days of a view', () => {
  it('are whole weeks from Monday on', () => {
    const november = daysShown('month', '2026-11-24');
    expect([november[0], november.at(-1), november.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
    // February begins on a Monday and ends on a Sunday.
    expect(daysShown('month', '2027-02-10')).toHaveLength(28);
    expect(daysShown('week', '2026-11-29')).toEqual(daysShown('week', '2026-11-23'));
    expect(daysShown('week', '2026-10-25')[0]).toBe('2026-10-19');
  });

  it('step over months of any length and years', () => {
    expect(steppedBy('month', '2027-01-31', 1)).toBe('2027-02-01');
    expect(steppedBy('month', '2027-01-31', -1)).toBe('2026-12-01');
    expect(steppedBy('week', '2026-12-31', 1)).toBe('2027-01-07');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  });

  it('are days that there are', () => {
    expect(['2026-02-28', '2026-02-30', '2026-2-3', 'today', ''].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(londonDay(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
  });
});
