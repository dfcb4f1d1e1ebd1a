import { describe, expect, it } from 'vitest';
import { sparklinePath } from './sparkline-path.ts';

describe('a sparkline', () => {
  it('goes from edge to edge between its lowest and highest value', () => {
    expect(sparklinePath([0, 10], 100, 28)).toBe('M0,28 C50,28 50,2 100,2');
  });

  it('lies flat when nothing changed', () => {
    expect(sparklinePath([5, 5, 5], 100, 28)).toBe('M0,28 C25,28 25,28 50,28 C75,28 75,28 100,28');
  });

  it('is nothing for fewer than two values', () => {
    expect(sparklinePath([], 100, 28)).toBe('');
    expect(sparklinePath([4], 100, 28)).toBe('');
  });
});
