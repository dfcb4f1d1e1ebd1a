import { describe, expect, it } from 'vitest';
import { apart, type Badge } from './apart.ts';

const covers = (one: Badge, other: Badge) =>
  Math.abs(one.top - other.top) < 20 && Math.abs(one.left - other.left) < (one.width + other.width) / 2;

/** The same numbers each time. */
function* numbers(seed: number) {
  for (let at = seed; ; ) {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield at / 2_147_483_648;
  }
}

describe('badges of links', () => {
  it('stay where they are while they have room', () => {
    const badges = [
      { left: 100, top: 40, width: 60 },
      { left: 200, top: 40, width: 60 },
      { left: 100, top: 80, width: 60 },
    ];
    expect(apart(badges, 440)).toEqual(badges);
  });

  it('go beside the one that they would cover, in the order of the line', () => {
    const [first, second] = apart(
      [
        { left: 120, top: 41, width: 60 },
        { left: 110, top: 40, width: 60 },
      ],
      440,
    );
    expect(second).toEqual({ left: 110, top: 40, width: 60 });
    expect(first).toEqual({ left: 172, top: 41, width: 60 });
  });

  it('never cover each other and never leave the page sideways, however many there are', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = numbers(seed);
      const next = () => random.next().value as number;
      const badges = Array.from({ length: 2 + (seed % 40) }, () => ({
        ...{ left: next() * 440, top: next() * 120, width: 24 + next() * 70 },
      }));
      const placed = apart(badges, 440);
      for (const [at, one] of placed.entries()) {
        expect(one.left - one.width / 2).toBeGreaterThanOrEqual(0);
        expect(one.left + one.width / 2).toBeLessThanOrEqual(440);
        for (const other of placed.slice(at + 1)) expect(covers(one, other)).toBe(false);
      }
    }
  });
});
