import { expect, it } from 'vitest';
import { whyWas } from './bin-words.ts';

const removal = (values: Partial<Parameters<typeof whyWas>[0]>) =>
  whyWas({ kind: 'delete', reasons: null, why: null, ...values });
const cleaned = (duplicates: number, invalid: number, nonUk: number) =>
  removal({ kind: 'clean', reasons: { duplicates, invalid, nonUk } });

it('says of a clean how many went for what, in words, and nothing that is zero', () => {
  expect(cleaned(531, 397, 1592)).toBe('531 duplicates, 397 invalid, 1,592 outside the UK');
  expect(cleaned(1, 0, 0)).toBe('1 duplicate');
  expect(cleaned(0, 12, 0)).toBe('12 invalid');
  expect(cleaned(0, 0, 3)).toBe('3 outside the UK');
});

it('says what was kept of the others', () => {
  expect(removal({ why: 'Came with may.csv, whose import was undone', kind: 'undo_import' })).toBe(
    'Came with may.csv, whose import was undone',
  );
});

it('is never empty, also for what was removed before the reason was kept', () => {
  for (const kind of ['delete', 'clean', 'undo_import', 'merge'] as const)
    expect(removal({ kind })).toMatch(/^[A-Z][\w ,]{14,}$/);
});
