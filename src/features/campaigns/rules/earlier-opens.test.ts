import { describe, expect, it } from 'vitest';
import { meanOpens } from './earlier-opens.ts';

const start = Date.parse('2026-11-18T09:00:00Z');
const after = (hours: number) => new Date(start + hours * 3_600_000);
const opens = (hours: number, opened: number, machines = 0) => ({
  ...{ hour: after(hours), opened, machines: { opened: machines } },
});

describe('the campaigns before', () => {
  it('weigh the same, each from the hour of its first message on', () => {
    const mean = meanOpens([
      // It left at half past nine; nobody opened it before noon.
      { delivered: 100, firstAt: after(0.5), hours: [opens(3, 20, 10), opens(60, 4)] },
      { delivered: 10, firstAt: after(100), hours: [opens(100, 1), opens(103, 2)] },
      { delivered: 0, firstAt: after(1), hours: [opens(1, 1)] },
    ]);
    expect(mean?.campaigns).toBe(2);
    expect(mean?.hours.map(({ after: at, hours, ...people }) => [at, hours, people])).toEqual([
      [0, 1, { opened: 0.05, machines: { opened: 0 } }],
      [3, 1, { opened: expect.closeTo(0.2), machines: { opened: 0.05 } }],
      [48, 24, { opened: 0.02, machines: { opened: 0 } }],
    ]);
  });

  it('are opened by nobody twice, where more opened one than it was delivered to', () => {
    const mean = meanOpens([{ delivered: 2, firstAt: after(0), hours: [opens(0, 3), opens(1, 4, 1)] }]);
    expect(mean?.hours).toEqual([
      { after: 0, hours: 1, opened: 0.375, machines: { opened: 0 } },
      { after: 1, hours: 1, opened: 0.5, machines: { opened: 0.125 } },
    ]);
  });

  it('are none where nothing was delivered', () => {
    expect(meanOpens([])).toBeNull();
    expect(meanOpens([{ delivered: 0, firstAt: after(0), hours: [] }])).toBeNull();
  });
});
