import { describe, expect, it } from 'vitest';
import { percentChange } from './rules.ts';

describe('percentChange', () => {
  it.each([
    [null, 5, 0],
    [0, 0, 0],
    [0, 5, 100],
    [1000, 1034, 3.4],
    [1000, 0, -100],
    [3, 1, -66.7],
  ])('from %s to %i: %d', (before, now, change) => expect(percentChange(before, now)).toBe(change));
});
