import { expect, it } from 'vitest';
import { londonMoment } from './london-time.ts';

it.each([
  ['2026-11-24T10:00', '2026-11-24T10:00:00.000Z'],
  ['2026-07-01T10:00', '2026-07-01T09:00:00.000Z'],
  // An hour that comes twice: the first, which is still summer time.
  ['2026-10-25T01:30', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T02:30', '2026-10-25T02:30:00.000Z'],
  // An hour that is left out: the clocks show 02:30 then.
  ['2026-03-29T01:30', '2026-03-29T01:30:00.000Z'],
])('%s in London is %s', (wall, moment) => {
  expect(londonMoment(wall)?.toISOString()).toBe(moment);
});

it('takes nothing else for a time', () => {
  for (const wall of ['', '2026-11-24', '2026-13-24T10:00', 'soon']) expect(londonMoment(wall)).toBeNull();
});
