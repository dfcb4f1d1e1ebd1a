import { expect, it } from 'vitest';
import { addressKinds, verdictReasons, verdicts } from '../rules.ts';
import { accuracyOfLabelledSet } from './index.ts';
import { readLabelledSet } from './labelled-set.ts';

it('agrees with a careful person on at least 99.5 % of the labelled set, verdict, reasons and suggestion', () => {
  const { addresses, right, verdictsRight, accuracy, misses } = accuracyOfLabelledSet();
  const lines = misses.map(
    (miss) => `  ${JSON.stringify(miss.text)} (${miss.group}): ${miss.differences.join('; ')}`,
  );
  console.log(
    [
      `${right} of ${addresses} right (${(accuracy * 100).toFixed(2)} %), verdicts ${verdictsRight}`,
      ...lines,
    ].join('\n'),
  );
  expect(accuracy).toBeGreaterThanOrEqual(0.995);
});

it('has a thousand addresses or more, none of them twice, labelled in words that exist', () => {
  const all = readLabelledSet();
  expect(all.length).toBeGreaterThanOrEqual(1000);
  expect(new Set(all.map((labelled) => labelled.text)).size).toBe(all.length);
  for (const { verdict, reasons, kind } of all) {
    expect(verdicts).toContain(verdict);
    for (const reason of reasons ?? []) expect(verdictReasons).toContain(reason);
    if (kind !== null) expect(addressKinds).toContain(kind);
  }
  for (const verdict of ['valid', 'risky', 'invalid'])
    expect(all.filter((labelled) => labelled.verdict === verdict).length).toBeGreaterThan(100);
});
