import { describe, expect, it } from 'vitest';
import { endedWords } from './rules.ts';

describe('how a task ended, in its own words', () => {
  const title = 'Verify 1,204 contacts';
  it.each([
    ['completed', '1,204 contacts verified.', '1,204 contacts verified'],
    ['completed', null, 'Verify 1,204 contacts: done'],
    [
      'completed',
      '1 duplicate, 2 invalid and 3 non-UK contacts moved to the bin. 4 were already there.',
      'Verify 1,204 contacts: done',
    ],
    ['failed', '12 contacts verified.', 'Verify 1,204 contacts: failed'],
    ['cancelled', null, 'Verify 1,204 contacts: cancelled'],
  ] as const)('%s, %s', (status, summary, words) => {
    expect(endedWords({ title, status, summary })).toBe(words);
  });
});
