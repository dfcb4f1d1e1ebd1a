import { expect, it } from 'vitest';
import { preheaderHint, subjectHint } from './line-length.ts';

it.each([
  ['', 'Merge fields such as {{ first_name }} are filled in.'],
  ['👩‍👩‍👧‍👦 é 🇬🇧', '5 of about 40 characters that phones show'],
  ['Hi {{ first_name }}!', '4 of about 40 characters that phones show beside the merge fields'],
  ['x'.repeat(41), '41 characters. Phones show about the first 40.'],
])('%j: %s', (subject, words) => {
  expect(subjectHint(subject)).toBe(words);
});

it('says how much of a preheader is shown', () => {
  expect(preheaderHint('🎄'.repeat(90))).toBe('90 of about 90 characters that mail programs show');
  expect(preheaderHint('🎄'.repeat(91))).toBe('91 characters. Mail programs show about the first 90.');
});
