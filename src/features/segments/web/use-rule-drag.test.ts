import { expect, it } from 'vitest';
import { type Draft, draftOf } from './draft.ts';
import { dropped } from './use-rule-drag.ts';

const named = (value: string) => ({ field: 'name', operator: 'contains' as const, value });
// Keys: a 1, b 2, c 3; the group 4 with d 5, e 6.
const draft = draftOf({
  conditions: [named('a'), named('b'), named('c')],
  groups: [{ conditions: [named('d'), named('e')] }],
});
const told = ({ rules, groups }: Draft) =>
  [rules, ...groups.map((group) => group.rules)]
    .map((some) => some.map(({ values }) => values[0]).join(''))
    .join(' ');

it.each<[number, 'before' | 'after', number | undefined, number | null, string]>([
  [1, 'after', 2, null, 'bac de'],
  [1, 'before', 3, null, 'bac de'],
  [1, 'after', 3, null, 'bca de'],
  [3, 'before', 1, null, 'cab de'],
  [3, 'after', 1, null, 'acb de'],
  [2, 'before', 5, 4, 'ac bde'],
  [2, 'after', 6, 4, 'ac deb'],
  [6, 'before', 1, null, 'eabc d'],
  [2, 'after', undefined, 4, 'ac deb'],
  [5, 'after', undefined, 4, 'abc ed'],
])('drops rule %i %s rule %s of place %s: %s', (key, edge, beside, place, expected) => {
  const target = { edge, place, ...(beside === undefined ? {} : { beside }) };
  expect(told(dropped(draft, key, target))).toBe(expected);
});
