import { describe, expect, it } from 'vitest';
import { forecast } from './forecast.ts';
import type { Pace, WarmUp } from './grant.ts';

const free: Pace = {
  ...{ perHour: null, perDay: null, quietFrom: null, quietTo: null },
  ...{ tokens: 0, tokensAt: new Date('2026-11-24T09:00:00Z'), day: null, daySent: 0 },
};
const warmUp: WarmUp = {
  ...{ begunOn: '2026-11-24', first: 500, doubleEvery: 1, most: 10_000, day: null, daySent: 0 },
};
const none = { pace: null, warmUp: null, perMinute: null };
const ten = new Date('2026-11-24T10:00:00Z');

describe('how fast messages will leave', () => {
  it('is not foretold where nothing is limited', () => {
    expect(forecast(none, 1_000_000, ten)).toBeNull();
    expect(forecast({ ...none, pace: free, warmUp: { ...warmUp, most: 500 } }, 9, ten)).toBeNull();
  });

  it('follows the nearest limit of an hour or a minute', () => {
    const pace = { ...free, perHour: 48_000 };
    const told = { perMinute: 800, perDay: null, minutes: 14 };
    expect(forecast({ ...none, pace }, 11_204, ten)).toEqual(told);
    expect(forecast({ ...none, pace, perMinute: 1_000 }, 11_204, ten)).toEqual(told);
    expect(forecast({ ...none, pace, perMinute: 400 }, 11_204, ten)).toMatchObject({
      ...{ perMinute: 400, minutes: 28 },
    });
  });

  it('goes on at midnight in London when a day is full, whatever was sent before', () => {
    const pace = { ...free, perDay: 1_000, day: '2026-11-24', daySent: 400 };
    // 600 today, 1,000 tomorrow, 400 on the day after.
    expect(forecast({ ...none, pace }, 2_000, ten)).toEqual({
      ...{ perMinute: null, perDay: 1_000, minutes: 14 * 60 + 24 * 60 },
    });
    expect(forecast({ ...none, pace }, 600, ten)?.minutes).toBe(0);
    const full = { ...pace, daySent: 1_500 };
    expect(forecast({ ...none, pace: full }, 600, ten)?.minutes).toBe(14 * 60);
  });

  it('knows that a domain that warms up is let send more each day, until it is warm', () => {
    // 500, 1,000, 2,000, 4,000, 8,000, and then all.
    expect(forecast({ ...none, warmUp }, 500, ten)).toEqual({ perMinute: null, perDay: 500, minutes: 0 });
    expect(forecast({ ...none, warmUp }, 3_500, ten)?.minutes).toBe((14 + 24) * 60);
    expect(forecast({ ...none, warmUp }, 1_000_000, ten)?.minutes).toBe((14 + 4 * 24) * 60);
  });

  it('waits for the end of quiet hours, also over midnight', () => {
    const pace = { ...free, quietFrom: 20 * 60, quietTo: 8 * 60 };
    expect(forecast({ ...none, pace }, 10, new Date('2026-11-24T21:00:00Z'))?.minutes).toBe(11 * 60);
    expect(forecast({ ...none, pace }, 10, ten)?.minutes).toBe(0);
    // Ten hours until the evening, twelve of rest, and two more.
    expect(forecast({ ...none, pace, perMinute: 1 }, 12 * 60, ten)?.minutes).toBe(24 * 60);
    const noon = { ...free, quietFrom: 12 * 60, quietTo: 13 * 60 };
    expect(forecast({ ...none, pace: noon, perMinute: 1 }, 180, ten)?.minutes).toBe(240);
  });

  it('looks no further than a year', () => {
    const pace = { ...free, perDay: 1 };
    expect(forecast({ ...none, pace }, 1_000_000, ten)?.minutes).toBeLessThanOrEqual(367 * 24 * 60);
  });
});
