import { describe, expect, it } from 'vitest';
import { chancesToBeBest } from './chances.ts';

const rounded = (variants: [people: number, did: number][]) =>
  chancesToBeBest(variants.map(([people, did]) => ({ people, did }))).map((chance) =>
    Math.round(chance * 100),
  );

describe('the chance of a variant to be the best', () => {
  it('is shared by those that nothing is known of, and by equals', () => {
    expect(
      rounded([
        [0, 0],
        [0, 0],
      ]),
    ).toEqual([50, 50]);
    expect(
      rounded([
        [500, 20],
        [500, 20],
        [500, 20],
        [500, 20],
      ]),
    ).toEqual([25, 25, 25, 25]);
  });

  it('follows what is known in closed form', () => {
    // With one success against one failure: P(p1 > p2) for Beta(2,1) and Beta(1,2) is 5/6.
    expect(
      rounded([
        [1, 1],
        [1, 0],
      ]),
    ).toEqual([83, 17]);
    // Beta(1,1) against Beta(2,1): 1/3.
    expect(
      rounded([
        [0, 0],
        [1, 1],
      ]),
    ).toEqual([33, 67]);
  });

  it('agrees with a trial of many draws', () => {
    // 10,000 people each, 200 and 240 clicks: z = 1.93, so 97 %.
    expect(
      rounded([
        [10_000, 200],
        [10_000, 240],
      ]),
    ).toEqual([3, 97]);
  });

  it('stays a number with millions of people, with none who did it, and with all', () => {
    expect(
      rounded([
        [2_000_000, 60_000],
        [2_000_000, 61_000],
      ]),
    ).toEqual([0, 100]);
    expect(
      rounded([
        [1_000, 0],
        [1_000, 1_000],
      ]),
    ).toEqual([0, 100]);
    expect(
      rounded([
        [5, 5],
        [5, 5],
      ]),
    ).toEqual([50, 50]);
    expect(chancesToBeBest([])).toEqual([]);
  });
});
