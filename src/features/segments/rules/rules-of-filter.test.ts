import { expect, it } from 'vitest';
import type { ContactFilter } from '#features/audience/contract.ts';
import { treeOfSelection } from '#features/audience/rules/flat-filter.ts';
import { verificationFields } from '#features/verification/rules/segment-fields.ts';
import { treeOf } from './meaning.ts';
import { ownFields } from './own-fields.ts';
import { readCondition } from './read-condition.ts';
import { rulesOfFilter } from './rules-of-filter.ts';

const fields = [...ownFields((text) => text), ...verificationFields(() => null)];

it.each<ContactFilter>([
  { status: 'active' },
  { domain: 'acme.co.uk' },
  { verdict: 'valid' },
  { reason: 'no_such_tld' },
  { kind: 'role' },
  { uk: 'likely_uk' },
  { addedFrom: '2026-03-01' },
  { addedTo: '2024-02-28' },
])('%j means the same as a rule', (filter) => {
  const [only] = rulesOfFilter(filter)?.conditions ?? [];
  const field = fields.find(({ key }) => key === only?.field);
  if (!only || !field) throw new Error('no rule');
  const { meaning } = readCondition(field, only, { today: '2026-11-22', options: field.options ?? [] });
  expect(treeOf(meaning)).toEqual(treeOfSelection({ filter }));
});

it('takes ranges, imports, lists and tags', () => {
  expect(rulesOfFilter({ riskFrom: 0, riskTo: 40, importId: 7, list: [3], tag: [1, 2] })).toEqual({
    conditions: [
      { field: 'risk', operator: 'greater', value: '-1' },
      { field: 'risk', operator: 'less', value: '41' },
      { field: 'import', operator: 'equals', value: '7' },
      { field: 'list', operator: 'one_of', value: ['3'] },
      { field: 'tags', operator: 'one_of', value: ['1', '2'] },
    ],
  });
  expect(rulesOfFilter({})).toEqual({ conditions: [] });
});

it.each<ContactFilter>([
  { search: 'smith' },
  { status: 'active', source: 'Fair' },
  { addedFrom: '0001-01-01' },
])('has no rule for %j', (filter) => expect(rulesOfFilter(filter)).toBeNull());
