import { describe, expect, it } from 'vitest';
import { roomOf, type ServerLimits } from './limit.ts';

const start = Date.parse('2026-11-25T09:00:00Z');
const free: ServerLimits = {
  ...{ perHour: null, perMinute: null, hourNextAt: new Date(0), minuteNextAt: new Date(0) },
};
const at = (ms: number) => new Date(start + ms);

/** When each message leaves within some hours, if as many are asked for as there is room for. */
function leaving(limits: Partial<ServerLimits>, hours: number, stepMs: number): number[] {
  const times: number[] = [];
  let now: ServerLimits = { ...free, ...limits };
  for (let ms = 0; ms < hours * 3_600_000; ms += stepMs) {
    const { count, hourNextAt, minuteNextAt } = roomOf(now, { wanted: 5, returned: 0 }, at(ms));
    now = { ...now, hourNextAt, minuteNextAt };
    for (let n = 0; n < count; n++) times.push(ms);
  }
  return times;
}

/** The most that leave within so many milliseconds, whenever these begin. */
function mostWithin(times: readonly number[], ms: number): number {
  let [most, from] = [0, 0];
  for (const [place, time] of times.entries()) {
    while ((times[from] as number) <= time - ms) from++;
    most = Math.max(most, place - from + 1);
  }
  return most;
}

describe('the limit of a server', () => {
  it.each([1, 2, 59, 60, 119, 120, 600, 3_000])(
    'of %i an hour holds in every hour, and is used',
    (perHour) => {
      const times = leaving({ perHour }, 3, 250);
      expect(mostWithin(times, 3_600_000)).toBeLessThanOrEqual(perHour);
      expect(times.length).toBeGreaterThanOrEqual(Math.floor(perHour * 3 * 0.97));
    },
  );

  it.each([1, 30, 60, 300])('of %i a minute holds in every minute, and is used', (perMinute) => {
    const times = leaving({ perMinute }, 0.1, 10);
    expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(perMinute);
    expect(times.length).toBeGreaterThanOrEqual(Math.floor(perMinute * 6 * 0.9));
  });

  it('of an hour and of a minute hold both', () => {
    const times = leaving({ perHour: 600, perMinute: 20 }, 2, 100);
    expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(20);
    expect(mostWithin(times, 3_600_000)).toBeLessThanOrEqual(600);
  });

  it('says how long it is full: for one message, and for a lot of them', () => {
    // Ten at once, and one each 6.1 seconds.
    const { count, full, hourNextAt } = roomOf({ ...free, perHour: 600 }, { wanted: 11, returned: 0 }, at(0));
    expect(count).toBe(10);
    expect(full?.firstMs).toBeCloseTo(3_600_000 / 591, 0);
    expect(full?.othersMs).toBeCloseTo((5 * 3_600_000) / 591, 0);
    const later = { ...free, perHour: 600, hourNextAt };
    const wanted = { wanted: 1, returned: 0 };
    expect(roomOf(later, wanted, at((full?.firstMs ?? 0) - 10)).count).toBe(0);
    expect(roomOf(later, wanted, at((full?.firstMs ?? 0) + 1)).count).toBe(1);
  });

  it('has room again for what was counted and did not leave', () => {
    const { hourNextAt } = roomOf({ ...free, perHour: 600 }, { wanted: 10, returned: 0 }, at(0));
    const full = { ...free, perHour: 600, hourNextAt };
    expect(roomOf(full, { wanted: 5, returned: 0 }, at(0)).count).toBe(0);
    expect(roomOf(full, { wanted: 5, returned: 3 }, at(1))).toMatchObject({ count: 3 });
  });

  it.each([{ perHour: 600 }, { perHour: 1 }, { perMinute: 60 }])(
    'of %j has room again soon after the clock was ahead for a moment',
    (limit) => {
      const tomorrow = at(24 * 3_600_000);
      const ahead = { ...free, ...limit, hourNextAt: tomorrow, minuteNextAt: tomorrow };
      const wanted = { wanted: 1, returned: 0 };
      const { count, hourNextAt, minuteNextAt } = roomOf(ahead, wanted, at(0));
      expect(count).toBe(0);
      const period = 'perHour' in limit ? 3_600_000 : 60_000;
      expect(roomOf({ ...ahead, hourNextAt, minuteNextAt }, wanted, at(period)).count).toBe(1);
    },
  );

  it('is nothing where none is set', () => {
    expect(roomOf(free, { wanted: 1_000_000, returned: 5 }, at(0))).toMatchObject({
      ...{ count: 1_000_000, full: null },
    });
  });
});
