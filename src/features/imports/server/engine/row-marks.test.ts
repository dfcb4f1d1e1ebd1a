import { expect, it } from 'vitest';
import { type RowMark, RowMarks } from './row-marks.ts';

it('keeps a mark for each row, also past the first buffer', () => {
  const kinds: RowMark[] = ['passed', 'leftOut', 'blank', 'passed', 'passed'];
  const marks = new RowMarks();
  const rows = 700_003;
  for (let row = 0; row < rows; row++) marks.add(kinds[row % kinds.length] as RowMark);
  expect(marks.rows).toBe(rows);
  for (let row = 0; row < rows; row++) {
    if (marks.at(row) !== kinds[row % kinds.length]) expect([row, marks.at(row)]).toBe(kinds[row % 5]);
  }
  expect(() => marks.at(rows)).toThrow(RangeError);
});
