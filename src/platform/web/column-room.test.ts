import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnRoom, sharedRoom } from './column-room.ts';

const column = (base: number, need: number, isFirst = false): ColumnRoom => ({ base, need, isFirst });
const rounded = (columns: ColumnRoom[]) => sharedRoom(columns)?.map(Math.round) ?? null;

describe('the room of columns', () => {
  it('stays as defined where nothing is cut, or nothing is to spare', () => {
    expect(sharedRoom([column(300, 280, true), column(200, 20)])).toBeNull();
    expect(sharedRoom([column(300, 420, true), column(200, 200), column(100, 160)])).toBeNull();
    expect(sharedRoom([])).toBeNull();
  });

  it('goes from an empty column to an address that would be cut, and no further than needed', () => {
    expect(rounded([column(300, 340, true), column(200, 20)])).toEqual([340, 160]);
    expect(rounded([column(300, 900, true), column(200, 20)])).toEqual([480, 20]);
  });

  it('is taken from each column by what it can spare', () => {
    expect(rounded([column(300, 360, true), column(200, 80), column(140, 80)])).toEqual([360, 160, 120]);
  });

  it('goes to addresses first, and what is left to other words', () => {
    const columns = [column(300, 350, true), column(200, 260), column(150, 60)];
    expect(rounded(columns)).toEqual([350, 240, 60]);
  });

  it('is shared by two columns of addresses by what each lacks', () => {
    expect(rounded([column(200, 260, true), column(200, 230, true), column(160, 100)])).toEqual([
      240, 220, 100,
    ]);
  });

  it('never cuts one column for another, and always adds up', () => {
    const any = fc.record({
      base: fc.integer({ min: 20, max: 900 }),
      need: fc.integer({ min: 0, max: 1500 }),
      isFirst: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (columns) => {
        const widths = sharedRoom(columns);
        if (!widths) return;
        const before = columns.reduce((all, { base }) => all + base, 0);
        expect(widths.reduce((all, one) => all + one, 0)).toBeCloseTo(before, 6);
        for (const [at, { base, need }] of columns.entries()) {
          const width = widths[at] as number;
          expect(width).toBeGreaterThanOrEqual(Math.min(base, need) - 1e-6);
          if (width > base) expect(width).toBeLessThanOrEqual(need + 1 + 1e-6);
        }
      }),
    );
  });
});
