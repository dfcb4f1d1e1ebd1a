import { expect, it } from 'vitest';
import { waitBefore } from './retries.ts';

const hour = 3_600;

it('what a server does not take for now is tried for three days, less and less often', () => {
  const waits: number[] = [];
  let seconds = 0;
  for (let attempts = 1; ; attempts++) {
    const wait = waitBefore({ attempts, seconds });
    if (wait === null) break;
    waits.push(wait);
    // Each try takes a moment too.
    seconds += wait + 3;
  }
  expect(waits.slice(0, 7)).toEqual([300, 900, 1_800, 3_600, 7_200, 14_400, 14_400]);
  expect(seconds).toBeGreaterThan(68 * hour);
  expect(seconds).toBeLessThan(73 * hour);
});

it('tries that never reached a server count for nothing', () => {
  expect(waitBefore({ attempts: 5_000, seconds: 60 })).toBe(300);
});

it('a message whose campaign was paused for a week is tried some times more', () => {
  expect(waitBefore({ attempts: 2, seconds: 168 * hour })).toBe(14_400);
  expect(waitBefore({ attempts: 6, seconds: 168 * hour })).toBeNull();
});
