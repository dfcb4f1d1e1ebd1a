import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aheadMs, type Place, placesOf } from './places.ts';

const began = Date.parse('2026-11-25T09:00:00Z');
const never = new Date(0);
const minutes = (dueAt: Date | null) => (dueAt ? (dueAt.getTime() - began) / 60_000 : 0);

describe('the places of messages to a receiver', () => {
  it('are one minute’s worth now, and the others one after the other', () => {
    const { places } = placesOf({ perHour: 600, nextAt: never }, 30, new Date(began));
    expect(places.map(({ dueAt }) => minutes(dueAt))).toEqual([
      ...Array.from({ length: 10 }, () => 0),
      ...Array.from({ length: 20 }, (_, place) => Math.ceil((place + 1) * 1.2) / 12),
    ]);
    expect(places.every(({ isKept }) => isKept)).toBe(true);
  });

  it('are at least one at a time, however few an hour has', () => {
    const { places, nextAt } = placesOf({ perHour: 2, nextAt: never }, 4, new Date(began));
    expect(places.map(({ dueAt, isKept }) => [minutes(dueAt), isKept])).toEqual([
      [0, true],
      [30, true],
      [60, true],
      [60, false],
    ]);
    expect(minutes(nextAt)).toBe(90);
  });

  it('are there again soon after the clock was ahead for a moment', () => {
    const ahead = { perHour: 600, nextAt: new Date(began + 24 * 3_600_000) };
    const first = placesOf(ahead, 1, new Date(began));
    expect(first.places).toMatchObject([{ isKept: false }]);
    const later = placesOf({ ...ahead, nextAt: first.nextAt }, 1, new Date(began + aheadMs));
    expect(later.places).toMatchObject([{ isKept: true }]);
    expect(minutes((later.places[0] as Place).dueAt)).toBeLessThan(61);
  });

  it('never let more than an hour’s worth leave in an hour, whoever asks when', () => {
    const asked = fc.array(fc.record({ count: fc.nat(500), afterMs: fc.nat(900_000) }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), asked, (perHour, calls) => {
        let nextAt = never;
        let now = began;
        const left: number[] = [];
        for (const { count, afterMs } of calls) {
          now += afterMs;
          const found = placesOf({ perHour, nextAt }, count, new Date(now));
          nextAt = found.nextAt;
          expect(found.places).toHaveLength(count);
          for (const { dueAt, isKept } of found.places) {
            expect((dueAt?.getTime() ?? now) - now).toBeLessThanOrEqual(aheadMs + 5_000);
            if (isKept) left.push(dueAt?.getTime() ?? now);
          }
        }
        left.sort((one, other) => one - other);
        const most = perHour + Math.max(1, perHour / 60) + (5 * perHour) / 3_600 + 1;
        for (let from = 0, to = 0; to < left.length; to++) {
          while ((left[to] as number) - (left[from] as number) >= 3_600_000) from++;
          expect(to - from + 1).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
