import { describe, expect, it } from 'vitest';
import { hourTicks, rateAt, ratePoints, reachedBy, shareTicks } from './rate.ts';

const span = { hours: 1, sent: 0, opened: 0, clicked: 0 };

describe('the lines of a rate', () => {
  it('rise within spans, are level between them, and reach to the end', () => {
    const points = ratePoints(
      [
        { ...span, after: 0, opened: 10, clicked: 1 },
        { ...span, after: 3, opened: 4 },
      ],
      6,
    );
    expect(points.map(({ after, opened, clicked }) => [after, opened, clicked])).toEqual([
      [0, 0, 0],
      [1, 10, 1],
      [3, 10, 1],
      [4, 14, 1],
      [6, 14, 1],
    ]);
    expect(rateAt(points, 2)).toEqual({ after: 2, opened: 10, clicked: 1 });
    expect(rateAt(points, 3.5)).toMatchObject({ opened: 12 });
    expect(rateAt(points, 9)).toMatchObject({ opened: 14 });
  });

  it('end where they are cut off', () => {
    const points = ratePoints([{ ...span, after: 48, hours: 24, opened: 5 }], 48);
    expect(points.at(-1)).toEqual({ after: 48, opened: 0, clicked: 0 });
  });

  it('stand on round steps', () => {
    expect(shareTicks(0.372)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(shareTicks(0)).toEqual([0, 0.001]);
    expect(shareTicks(1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(shareTicks(0.004)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
    expect(hourTicks(48, 8)).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48]);
    expect(hourTicks(24 * 30, 8).length).toBeLessThanOrEqual(9);
  });
});

it('a campaign has reached whom it was delivered to, or all who opened it where they are more', () => {
  expect(reachedBy({ delivered: 30, opened: 20, machineOpened: 5 })).toBe(30);
  expect(reachedBy({ delivered: 30, opened: 40, machineOpened: 5 })).toBe(45);
});
