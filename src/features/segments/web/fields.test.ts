import { describe, expect, it } from 'vitest';
import { operatorList } from '../contract.ts';
import { type FieldType, type Operator, operatorsOf } from '../rules/operators.ts';
import type { Rule } from './draft.ts';
import {
  entryOf,
  type Field,
  fieldGroups,
  firstOperator,
  type Offered,
  only,
  withField,
  withOperator,
} from './fields.ts';

const field = (key: string, type: FieldType, options: Field['options'] = null): Field => ({
  ...{ key, label: key, group: type === 'any' ? 'Extra fields' : 'Contact', type },
  ...{ operators: [...operatorsOf[type]], options },
});
const offered: Offered = {
  fields: [
    field('name', 'text'),
    field('source', 'text'),
    field('status', 'choice', [{ value: 'active', label: 'Active' }]),
    field('verdict', 'choice', [{ value: 'valid', label: 'Valid' }]),
    field('added', 'date'),
    field('risk', 'number'),
    field('attributes.Town', 'any'),
  ],
  operators: operatorList,
};
const rule = (key: string, operator: Operator, ...values: string[]): Rule => ({
  ...{ key: 1, field: key, operator, values, typed: '' },
});
const named = (key: string) => offered.fields.find((one) => one.key === key);
const words = (key: Operator) => {
  const found = operatorList.find((one) => one.key === key);
  if (!found) throw new Error(key);
  return found;
};

it.each<[string, Operator, string]>([
  ['name', 'contains', 'texts'],
  ['name', 'is_empty', 'nothing'],
  ['status', 'one_of', 'choice'],
  ['status', 'contains', 'texts'],
  ['added', 'equals', 'days'],
  ['added', 'before', 'day'],
  ['added', 'in_last_days', 'dayCount'],
  ['added', 'anniversary', 'monthDays'],
  ['added', 'starts_with', 'texts'],
  ['risk', 'greater', 'number'],
  ['risk', 'equals', 'texts'],
  ['attributes.Town', 'equals', 'texts'],
])('%s %s takes %s', (key, operator, entry) => expect(entryOf(named(key), words(operator))).toBe(entry));

it.each(Object.entries(firstOperator))('a %s is first asked what fits it', (type, operator) =>
  expect(operatorsOf[type as FieldType]).toContain(operator),
);

describe('a rule about another field', () => {
  it.each<[Rule, string, Partial<Rule>]>([
    [rule('name', 'ends_with', 'x'), 'source', { field: 'source', operator: 'ends_with' }],
    [
      rule('name', 'ends_with', 'x'),
      'added',
      { field: 'added', operator: 'in_last_days', values: [], typed: '' },
    ],
    [
      rule('status', 'equals', 'active'),
      'verdict',
      { field: 'verdict', operator: 'equals', values: [], typed: '' },
    ],
    [rule('name', 'equals', 'x'), 'name', {}],
    [rule('gone', 'equals', 'x'), 'risk', { field: 'risk', operator: 'greater', values: [], typed: '' }],
  ])('%j to %s', (before, key, patch) => expect(withField(before, offered, key)).toEqual(patch));
});

it('a rule keeps its value when it is asked otherwise, if that is entered the same way', () => {
  expect(withOperator(rule('name', 'equals', 'x'), offered, 'contains')).toEqual({ operator: 'contains' });
  const emptied = { operator: 'is_empty', values: [], typed: '' };
  expect(withOperator(rule('name', 'equals', 'x'), offered, 'is_empty')).toEqual(emptied);
  const text = { operator: 'contains', values: [], typed: '' };
  expect(withOperator(rule('status', 'equals', 'active'), offered, 'contains')).toEqual(text);
});

it('offers some of the fields and operators, and those under their headings', () => {
  const some = only(offered, ['name', 'added'], ['equals', 'is_empty']);
  expect(some.fields.map(({ key, operators }) => [key, operators])).toEqual([
    ['name', ['equals', 'is_empty']],
    ['added', ['equals', 'is_empty']],
  ]);
  expect(some.operators.map(({ key }) => key)).toEqual(['equals', 'is_empty']);
  expect(fieldGroups(some, 'attributes.Gone')).toEqual([
    { group: 'Contact', items: some.fields.map(({ key, label }) => ({ value: key, label })) },
    { group: 'No longer there', items: [{ value: 'attributes.Gone', label: 'Gone' }] },
  ]);
});
