import { expect, it } from 'vitest';
import type { CleanReasonView } from '../contract.ts';
import { countsOf, figureOf, mayBeAny, removeWords } from './clean-words.ts';

const view = (values: Partial<CleanReasonView>): CleanReasonView => ({
  reason: 'invalid',
  contacts: 0,
  isEstimate: false,
  samples: [],
  domains: [],
  ...values,
});

it.each([
  [0, false, '0'],
  [1204, false, '1,204'],
  [1_204_331, true, 'about 1,204,000'],
  [0, true, 'few or none'],
])('%i, an estimate: %s, is written %s', (contacts, isEstimate, words) => {
  expect(figureOf(contacts, isEstimate)).toBe(words);
});

it.each([
  [{ removed: 0 }, null],
  [{ removed: 1, isEstimate: false }, 'Remove 1 contact'],
  [{ removed: 1_204_331, isEstimate: true }, 'Remove about 1,204,000 contacts'],
  [{ removed: 0, isEstimate: true }, 'Remove what there is'],
])('the button for %j', (counts, words) => {
  expect(removeWords(counts)).toBe(words);
});

it('takes a sum for an estimate when one of the chosen reasons is', () => {
  const reasons = [view({ reason: 'duplicate', contacts: 5 }), view({ contacts: 7, isEstimate: true })];
  expect(countsOf(reasons, ['duplicate'])).toMatchObject({ removed: 5, isEstimate: false });
  expect(countsOf(reasons, ['duplicate', 'invalid'])).toMatchObject({
    removed: 12,
    invalid: 7,
    isEstimate: true,
  });
});

it('lets a reason be chosen of which a sample found nobody', () => {
  expect([view({}), view({ isEstimate: true }), view({ contacts: 1 })].map(mayBeAny)).toEqual([
    false,
    true,
    true,
  ]);
});
