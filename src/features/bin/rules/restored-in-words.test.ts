import { expect, it } from 'vitest';
import { restoredInWords } from './restored-in-words.ts';

it('says what came back, and what stays in the bin and why', () => {
  expect(restoredInWords({ restored: 1204, leftOut: 0 })).toBe('1,204 contacts brought back');
  expect(restoredInWords({ restored: 1, leftOut: 2 })).toBe(
    '1 contact brought back; 2 stay in the bin, because their addresses exist again',
  );
  expect(restoredInWords({ restored: 0, leftOut: 1 })).toBe(
    '1 contact stays in the bin, because its address exists again',
  );
  expect(restoredInWords({ restored: 0, leftOut: 0 })).toBe('0 contacts brought back');
});

it('knows nothing of what is left where an earlier version, or a cancelled task, does not say', () => {
  expect(restoredInWords({ restored: 5000 })).toBe('5,000 contacts brought back');
  expect(restoredInWords({})).toBe('0 contacts brought back');
});
