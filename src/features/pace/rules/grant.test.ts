import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grant, type Pace, type WarmUp } from './grant.ts';
import { warmFrom, warmUpDay, warmUpSteps } from './warm-up.ts';

const free: Pace = {
  ...{ perHour: null, perDay: null, quietFrom: null, quietTo: null },
  ...{ tokens: Number.POSITIVE_INFINITY, tokensAt: new Date('2026-11-24T09:00:00Z'), day: null, daySent: 0 },
};
const at = (time: string) => new Date(time);
const plan = { begunOn: '2026-11-24', first: 500, doubleEvery: 2, most: 10_000 };
const warmUp: WarmUp = { ...plan, day: null, daySent: 0 };

describe('the pace', () => {
  it('lets everything leave where nothing is limited', () => {
    expect(grant(free, null, 40, at('2026-11-24T10:00:00Z'))).toMatchObject({ count: 40, wait: null });
    expect(grant(null, null, 40, at('2026-11-24T10:00:00Z'))).toMatchObject({ count: 40, wait: null });
  });

  it('never lets more than its hour leave, and one minute’s worth at once', () => {
    const asked = fc.array(fc.record({ wanted: fc.nat(300), afterMs: fc.nat(400_000) }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), asked, (perHour, calls) => {
        let pace: Pace = { ...free, perHour };
        let now = free.tokensAt.getTime();
        const left: { now: number; count: number }[] = [];
        for (const { wanted, afterMs } of calls) {
          now += afterMs;
          const { count, tokens } = grant(pace, null, wanted, new Date(now));
          if (count > 0) pace = { ...pace, tokens, tokensAt: new Date(now) };
          left.push({ now, count });
          const hour = left.filter((one) => one.now > now - 3_600_000);
          const sum = hour.reduce((all, one) => all + one.count, 0);
          expect(sum).toBeLessThanOrEqual(perHour + Math.max(1, perHour / 60));
          expect(count).toBeLessThanOrEqual(Math.max(1, perHour / 60));
        }
      }),
    );
  });

  it('takes no jump of the clock for time in which nothing left', () => {
    let pace: Pace = { ...free, perHour: 1_200, tokens: 0 };
    const ask = (time: string) => {
      const { count, tokens, isNews } = grant(pace, null, 5_000, at(time));
      if (isNews) pace = { ...pace, tokens, tokensAt: at(time) };
      expect(tokens).toBeGreaterThanOrEqual(0);
      return count;
    };
    // An hour back: nothing is gained by it, and nothing lost but the time until then.
    expect(ask('2026-11-24T08:00:00Z')).toBe(0);
    expect(ask('2026-11-24T08:00:30Z')).toBe(10);
    // Years ahead: a minute’s worth, as after any pause.
    expect(ask('2036-11-24T08:00:00Z')).toBe(20);
    expect(ask('2036-11-24T08:00:02Z')).toBe(0);
    // And back, with nothing left.
    expect(ask('2026-11-24T08:01:00Z')).toBe(0);
    expect(ask('2026-11-24T08:01:03Z')).toBe(1);
  });

  it('says when more may leave, and then more may', () => {
    const pace = { ...free, perHour: 1_200, tokens: 0 };
    const { count, wait } = grant(pace, null, 40, free.tokensAt);
    expect([count, wait]).toEqual([0, { why: 'hour', seconds: 60 }]);
    const later = new Date(free.tokensAt.getTime() + 60_000);
    expect(grant(pace, null, 40, later)).toMatchObject({ count: 20, tokens: 0 });
  });

  it('keeps to its day, and goes on after midnight in London', () => {
    const pace = { ...free, perDay: 100, day: '2026-07-01', daySent: 90 };
    // Summer time: midnight in London is 23:00 UTC.
    expect(grant(pace, null, 40, at('2026-07-01T22:00:00Z'))).toMatchObject({
      ...{ count: 10, wait: { why: 'day', seconds: 3_600 } },
    });
    expect(grant(pace, null, 40, at('2026-07-01T23:00:00Z'))).toMatchObject({
      count: 40,
      today: '2026-07-02',
    });
  });

  it.each([
    ['2026-11-24T20:00:00Z', 12 * 3_600],
    ['2026-11-25T07:59:30Z', 30],
    ['2026-11-25T08:00:00Z', 0],
    ['2026-07-01T18:59:00Z', 0],
    ['2026-07-01T19:00:00Z', 12 * 3_600],
    // The night in which clocks go forward has an hour less, the other one an hour more.
    ['2026-03-28T20:00:00Z', 11 * 3_600],
    ['2026-10-24T19:00:00Z', 13 * 3_600],
  ])('is silent from 20:00 to 08:00 in London: at %s for %i s', (time, seconds) => {
    const pace = { ...free, quietFrom: 20 * 60, quietTo: 8 * 60 };
    const { count, wait } = grant(pace, null, 5, at(time));
    expect([count, wait?.seconds ?? 0]).toEqual([seconds === 0 ? 5 : 0, seconds]);
  });

  it('is silent within a day too', () => {
    const pace = { ...free, quietFrom: 12 * 60, quietTo: 14 * 60 };
    expect(grant(pace, null, 5, at('2026-11-24T13:00:00Z')).wait).toEqual({ why: 'quiet', seconds: 3_600 });
    expect(grant(pace, null, 5, at('2026-11-24T14:00:00Z')).wait).toBeNull();
  });
});

describe('a new domain', () => {
  it('begins with few, and twice as many every so many days, until it is warm', () => {
    expect(warmUpSteps(plan)).toEqual([
      { day: '2026-11-24', messages: 500 },
      { day: '2026-11-26', messages: 1_000 },
      { day: '2026-11-28', messages: 2_000 },
      { day: '2026-11-30', messages: 4_000 },
      { day: '2026-12-02', messages: 8_000 },
    ]);
    expect(warmFrom(plan)).toBe('2026-12-04');
    expect(warmUpDay(plan, '2026-12-03')).toBe(8_000);
    expect(warmUpDay(plan, '2026-12-04')).toBeNull();
    expect(warmUpDay(plan, '2036-12-04')).toBeNull();
  });

  it('sends no more than its day allows, whatever the workspace may', () => {
    const now = at('2026-11-24T23:30:00Z');
    const used = { ...warmUp, day: '2026-11-24', daySent: 495 };
    expect(grant(free, used, 40, now)).toMatchObject({ count: 5, wait: { why: 'warm_up', seconds: 1_800 } });
    expect(grant({ ...free, perHour: 60 }, used, 40, now)).toMatchObject({ count: 1, wait: { why: 'hour' } });
    expect(grant(null, { ...used, begunOn: '2026-10-01' }, 40, now).count).toBe(40);
  });
});
