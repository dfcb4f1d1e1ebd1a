import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageButtons, rowRange } from './page-buttons.ts';

describe('page buttons', () => {
  it.each([
    [1, 60_217, [1, 2, 3, 4, 5]],
    [3, 60_217, [1, 2, 3, 4, 5]],
    [4, 60_217, [2, 3, 4, 5, 6]],
    [60_217, 60_217, [60_213, 60_214, 60_215, 60_216, 60_217]],
    [2, 3, [1, 2, 3]],
    [1, 0, [1]],
  ])('page %i of %i shows %j', (page, pages, buttons) => {
    expect(pageButtons(page, pages)).toEqual(buttons);
  });

  it('are five in a row that hold the current page, whenever there are five', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 1_000_000 }), fc.nat(), (pages, seed) => {
        const page = (seed % pages) + 1;
        const buttons = pageButtons(page, pages);
        expect(buttons).toHaveLength(5);
        expect(buttons).toContain(page);
        expect(buttons[0]).toBeGreaterThanOrEqual(1);
        expect(buttons[4]).toBe((buttons[0] ?? 0) + 4);
        expect(buttons[4]).toBeLessThanOrEqual(pages);
      }),
    );
  });
});

describe('row range', () => {
  it.each([
    [1, 20, 1_204_331, { first: 1, last: 20 }],
    [60_217, 20, 1_204_331, { first: 1_204_321, last: 1_204_331 }],
    [1, 20, 0, { first: 0, last: 0 }],
  ])('page %i at %i of %i', (page, size, total, range) => {
    expect(rowRange(page, size, total)).toEqual(range);
  });
});
