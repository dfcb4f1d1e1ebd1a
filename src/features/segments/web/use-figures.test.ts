import { expect, it } from 'vitest';
import { changeRule, draftOf } from './draft.ts';
import { leftAfter } from './use-figures.ts';

const named = (value: string) => ({ field: 'name', operator: 'contains' as const, value });

it('gives each finished rule and group its figure, and none to the others', () => {
  const draft = draftOf({
    conditions: [named('a'), named('b')],
    groups: [{ conditions: [named('c')] }, { conditions: [named('d'), named('e')] }],
  });
  const [, second] = draft.rules;
  const [first, last] = draft.groups;
  // The second rule and all of the first group have no value yet.
  const edited = [second?.key, first?.rules[0]?.key].reduce(
    (left, key) => changeRule(left, key ?? 0, { values: [] }),
    draft,
  );
  const steps = { conditions: [10], groups: [{ count: 4, conditions: [6, 4] }], isEstimate: true };
  const left = leftAfter(edited, { steps });
  expect(left.isEstimate).toBe(true);
  expect([...left.counts]).toEqual([
    [draft.rules[0]?.key, 10],
    [last?.key, 4],
    [last?.rules[0]?.key, 6],
    [last?.rules[1]?.key, 4],
  ]);
});
