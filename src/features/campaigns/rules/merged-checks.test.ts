import { describe, expect, it } from 'vitest';
import type { CampaignCheck } from '../contract.ts';
import { mergedChecks } from './merged-checks.ts';

type Check = CampaignCheck['checks'][number];
const line = (key: string, result: Check['result'], words: string): Check => ({
  ...{ key, title: key, result, words },
  fix: result === 'pass' ? null : `Mend ${words}`,
});

describe('the checks of variants', () => {
  it('are those of the campaign where there is one, and where all say the same', () => {
    const own = [line('size', 'pass', '4 kB.'), line('links', 'advice', 'One is empty.')];
    expect(mergedChecks([own])).toEqual(own);
    expect(mergedChecks([own, own, own])).toEqual(own);
  });

  it('are as bad as in the worst variant, and name it', () => {
    const found = mergedChecks([
      [line('links', 'pass', 'Fine.'), line('size', 'pass', '4 kB.')],
      [line('links', 'advice', 'One is empty.'), line('size', 'advice', '110 kB.')],
      [line('links', 'block', 'None.'), line('size', 'advice', '110 kB.')],
    ]);
    expect(found).toEqual([
      { ...line('links', 'block', 'Variant C: None.'), fix: 'Mend None.' },
      { ...line('size', 'advice', 'Variants B and C: 110 kB.'), fix: 'Mend 110 kB.' },
    ]);
  });

  it('are told one by one where they differ, also those that some do not have', () => {
    const found = mergedChecks([
      [line('sender', 'pass', 'Ann.')],
      [line('sender', 'pass', 'Ben.'), line('spf', 'advice', 'None.')],
    ]);
    expect(found.map(({ words }) => words)).toEqual(['Variant A: Ann. Variant B: Ben.', 'Variant B: None.']);
  });
});
