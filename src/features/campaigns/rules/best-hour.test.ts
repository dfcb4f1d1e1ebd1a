import { describe, expect, it } from 'vitest';
import { bestHour, type WeekHour } from './best-hour.ts';

const hour = (weekday: number, at: number, opened: number, weight: number): WeekHour => ({
  ...{ weekday, hour: at, opened, weight },
});
/** A Tuesday. */
const now = new Date('2026-11-24T10:20:00Z');
const tuesday = hour(2, 10, 400, 0.3);
const friday = hour(5, 7, 100, 0.1);

describe('the best hour', () => {
  it('is the next one in which readers did most for each message', () => {
    expect(bestHour([tuesday, friday], now)?.toISOString()).toBe('2026-12-01T10:00:00.000Z');
    const many = [hour(2, 10, 9_000, 0.1), hour(5, 7, 100, 0.2)];
    expect(bestHour(many, now)?.toISOString()).toBe('2026-11-27T07:00:00.000Z');
    const soon = hour(2, 11, 500, 0.4);
    expect(bestHour([tuesday, soon], now)?.toISOString()).toBe('2026-11-24T11:00:00.000Z');
    // At the full hour it has begun.
    expect(bestHour([soon], new Date('2026-11-24T11:00:00Z'))?.toISOString()).toBe(
      '2026-12-01T11:00:00.000Z',
    );
  });

  it('is not known before 500 people have opened', () => {
    expect(bestHour([tuesday, hour(5, 7, 99, 0.1)], now)).toBeNull();
    expect(bestHour([tuesday, friday], now)).not.toBeNull();
    expect(bestHour([hour(2, 10, 500, 0)], now)).toBeNull();
  });

  it('is none in which nothing leaves', () => {
    const isQuiet = (at: number) => at === 10;
    expect(bestHour([tuesday, friday], now, isQuiet)?.toISOString()).toBe('2026-11-27T07:00:00.000Z');
    expect(bestHour([tuesday, friday], now, () => true)).toBeNull();
  });

  it('is on the clocks in London, when they change too', () => {
    const sunday = hour(0, 9, 500, 0.3);
    expect(bestHour([sunday], new Date('2026-03-28T12:00:00Z'))?.toISOString()).toBe(
      '2026-03-29T08:00:00.000Z',
    );
    expect(bestHour([sunday], new Date('2026-10-24T12:00:00Z'))?.toISOString()).toBe(
      '2026-10-25T09:00:00.000Z',
    );
    // An hour that is left out in March comes a week later.
    const early = hour(0, 1, 500, 0.3);
    expect(bestHour([early], new Date('2026-03-28T12:00:00Z'))?.toISOString()).toBe(
      '2026-04-05T00:00:00.000Z',
    );
  });
});
