import { expect, it } from 'vitest';
import { formatCount, formatDay, formatDecimal, formatLongDay, formatNumber } from './words.ts';

it.each([
  [formatNumber(1_204_331), '1,204,331'],
  [formatNumber(0.5), '1'],
  [formatDecimal(1520.125), '1,520.13'],
  [formatDecimal(70), '70'],
  [formatCount(1, 'contact'), '1 contact'],
  [formatCount(1204, 'contact'), '1,204 contacts'],
  [formatCount(0, 'address', 'addresses'), '0 addresses'],
  [formatDay('2026-03-01'), '1 Mar 2026'],
  [formatLongDay('2026-03-01T23:59:59.999Z'), '1 March 2026'],
])('writes %s', (said, wanted) => {
  expect(said).toBe(wanted);
});
