import { expect, it } from 'vitest';
import { whyOf } from './remove-selected.ts';

const audienceOf = (record: object, words: string) =>
  ({ record: () => record, words: () => words }) as unknown as Parameters<typeof whyOf>[0];
const tree: Parameters<typeof whyOf>[1] = { version: 1, all: [] };

it('tells what was chosen by hand from what a filter meant', () => {
  expect(whyOf(audienceOf({ named: 3 }, 'it is one of 3 named'), tree)).toBe(
    'Chosen in the list and deleted',
  );
  expect(whyOf(audienceOf({ filter: {} }, 'all contacts'), tree)).toBe('Deleted together: all contacts');
  expect(whyOf(audienceOf({ audience: 'contacts for which …' }, 'contacts for which …'), tree)).toBe(
    'Deleted together: contacts for which …',
  );
});

it.each([470, 500, 1500])('cuts a filter of %i characters where nobody reads on', (length) => {
  const why = whyOf(audienceOf({ filter: {} }, 'x'.repeat(length)), tree);
  expect(why.length).toBeLessThanOrEqual(500);
  expect(why.endsWith('…')).toBe(length + 'Deleted together: '.length > 500);
});
