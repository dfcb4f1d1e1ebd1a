import { describe, expect, it } from 'vitest';
import { spansOf } from './report-spans.ts';

const start = Date.parse('2026-11-18T09:00:00Z');
const after = (hours: number) => new Date(start + hours * 3_600_000);

describe('a report', () => {
  it('tells hours for two days and then days, each from the first on', () => {
    const spans = spansOf([
      { hour: after(47), opened: 1 },
      { hour: after(48), opened: 2 },
      { hour: after(71), opened: 4, machines: { opened: 3, clicked: 1 } },
      { hour: after(72), clicked: 8 },
      { hour: after(0), opened: 16 },
      { hour: after(0), sent: 32 },
    ]);
    expect(
      spans.map(({ start: at, hours, sent, opened, clicked }) => [at, hours, sent, opened, clicked]),
    ).toEqual([
      [after(0), 1, 32, 16, 0],
      [after(47), 1, 0, 1, 0],
      [after(48), 24, 0, 6, 0],
      [after(72), 24, 0, 0, 8],
    ]);
    expect(spans[2]?.machines).toEqual({ opened: 3, clicked: 1 });
  });

  it('tells nothing of nothing', () => {
    expect(spansOf([])).toEqual([]);
  });
});
