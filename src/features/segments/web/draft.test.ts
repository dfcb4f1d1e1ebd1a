import { describe, expect, it } from 'vitest';
import type { SegmentRules } from '../contract/segment-rules.ts';
import {
  addGroup,
  addRule,
  changeRule,
  type Draft,
  draftOf,
  duplicateGroup,
  duplicateRule,
  emptyDraft,
  isFinished,
  moveRule,
  removeRule,
  rulesIn,
  rulesOf,
  stepGroup,
  stepRule,
} from './draft.ts';

const named = (value: string) => ({ field: 'name', operator: 'contains' as const, value });
const stored: SegmentRules = {
  conditions: [named('a'), named('b')],
  groups: [
    { match: 'any', conditions: [named('c'), named('d')] },
    { match: 'none', conditions: [named('e')] },
  ],
};
/** `ab (cd) (e)` */
const told = ({ rules, groups }: Draft): string =>
  [
    rules.map(({ values }) => values[0]).join(''),
    ...groups.map((group) => `(${group.rules.map(({ values }) => values[0]).join('')})`),
  ].join(' ');
const keyOf = (draft: Draft, value: string): number =>
  rulesIn(draft).find(({ values }) => values[0] === value)?.key ?? 0;
const draft = draftOf(stored);

describe('a draft', () => {
  it.each<[string, SegmentRules]>([
    ['groups', stored],
    ['the specification', { conditions: [named('a')] }],
    [
      'several values',
      { match: 'any', conditions: [{ field: 'uk', operator: 'one_of', value: ['uk', 'x'] }] },
    ],
    ['an operator without a value', { conditions: [{ field: 'tags', operator: 'is_empty' }] }],
    ['nothing', { conditions: [] }],
  ])('gives back rules with %s', (_what, rules) => expect(rulesOf(draftOf(rules))).toEqual(rules));

  it('sends no rule without a value, and no group without a rule', () => {
    const begun = addGroup(addRule(emptyDraft, null, { field: 'name', operator: 'contains' }), {
      field: 'tags',
      operator: 'one_of',
    });
    expect(rulesIn(begun).filter(isFinished)).toEqual([]);
    expect(rulesOf(begun)).toEqual({ conditions: [] });
  });

  it('takes typed words as a value, but not blanks and not a value again', () => {
    const key = keyOf(draft, 'a');
    const sent = (typed: string) => rulesOf(changeRule(draft, key, { typed })).conditions?.[0]?.value;
    expect([sent(' x '), sent('  '), sent('a')]).toEqual([['a', 'x'], 'a', 'a']);
  });

  it('has a key of its own for each rule and group', () => {
    const grown = duplicateGroup(
      duplicateRule(addGroup(draft, named('f')), keyOf(draft, 'a')),
      draft.groups[0]?.key ?? 0,
    );
    const keys = [...rulesIn(grown), ...grown.groups].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(told(grown)).toBe('aab (cd) (cd) (e) ()');
  });
});

describe('moving', () => {
  it.each<[string, 1 | -1, string]>([
    ['a', 1, 'ba (cd) (e)'],
    ['a', -1, 'ab (cd) (e)'],
    ['b', 1, 'a (bcd) (e)'],
    ['c', -1, 'abc (d) (e)'],
    ['d', 1, 'ab (c) (de)'],
    ['e', -1, 'ab (cde) ()'],
    ['e', 1, 'ab (cd) (e)'],
  ])('%s by %i', (value, by, expected) =>
    expect(told(stepRule(draft, keyOf(draft, value), by))).toBe(expected),
  );

  it('puts a rule where it is dropped', () => {
    const group = draft.groups[0]?.key ?? 0;
    expect(told(moveRule(draft, keyOf(draft, 'a'), group, 1))).toBe('b (cad) (e)');
    expect(told(moveRule(draft, keyOf(draft, 'd'), null, 0))).toBe('dab (c) (e)');
    expect(told(moveRule(draft, keyOf(draft, 'c'), group, 1))).toBe('ab (dc) (e)');
    expect(told(removeRule(draft, keyOf(draft, 'b')))).toBe('a (cd) (e)');
  });

  it('moves groups', () => {
    const [first, second] = draft.groups.map(({ key }) => key) as [number, number];
    expect(told(stepGroup(draft, first, 1))).toBe('ab (e) (cd)');
    expect(told(stepGroup(draft, second, -1))).toBe('ab (e) (cd)');
    expect(stepGroup(draft, second, 1)).toBe(draft);
  });
});
