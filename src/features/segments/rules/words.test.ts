import { describe, expect, it } from 'vitest';
import { verificationFields } from '#features/verification/rules/segment-fields.ts';
import type { SegmentCondition } from '../contract.ts';
import { treeOf } from './meaning.ts';
import { attributeField, lastActivityField, ownFields } from './own-fields.ts';
import { type ReadCondition, readCondition } from './read-condition.ts';
import { conditionInWords, rulesInWords } from './words.ts';

const fields = [...ownFields((text) => text), lastActivityField, ...verificationFields(() => null)];
const read = (
  field: string,
  operator: SegmentCondition['operator'],
  value?: string | string[],
): ReadCondition => {
  const found = fields.find(({ key }) => key === field) ?? attributeField(field);
  if (!found) throw new Error(field);
  return readCondition(
    found,
    { field, operator, value },
    { today: '2026-11-22', options: found.options ?? [] },
  );
};

describe('a condition reads', () => {
  it.each<[Parameters<typeof read>, string]>([
    [['domain', 'ends_with', ['.uk', '.scot']], 'whose domain ends with “.uk” or “.scot”'],
    [['name', 'is_empty'], 'without a name'],
    [['source', 'not_contains', 'fair'], 'whose source does not contain “fair”'],
    [['createdAt', 'in_last_days', '30'], 'who were added in the last 30 days'],
    [['createdAt', 'not_in_last_days', '1'], 'who were not added in the last day'],
    [['createdAt', 'equals', '2026-11-01'], 'who were added on 1 Nov 2026'],
    [['createdAt', 'anniversary', 'today'], 'whose day of adding has its anniversary today'],
    [['createdAt', 'anniversary', '03-05'], 'whose day of adding has its anniversary on 5 Mar'],
    [['lastActivity', 'is_not_empty'], 'with a last activity'],
    [['risk', 'greater', '40'], 'whose risk is more than 40'],
    [['uk', 'not_equals', 'likely_uk'], 'whose UK class is not likely UK'],
    [['attributes.Renewal', 'before', '2026-12-01'], 'whose Renewal is before 1 Dec 2026'],
    [['attributes.Orders', 'less', '3'], 'whose Orders is less than 3'],
  ])('%j', (asked, words) => expect(conditionInWords(read(...asked))).toBe(words));
});

it('rules read as one sentence', () => {
  const conditions = [read('uk', 'one_of', ['uk', 'likely_uk']), read('status', 'equals', 'active')];
  const group = { match: 'any' as const, conditions: [read('name', 'is_empty'), read('risk', 'less', '5')] };
  expect(rulesInWords({ match: 'all', conditions, groups: [group] })).toBe(
    'UK or likely UK, active contacts (without a name or whose risk is less than 5)',
  );
  expect(rulesInWords({ match: 'none', conditions, groups: [] })).toBe(
    'Contacts of whom none of this is true: whose UK class is UK or likely UK; whose status is active',
  );
  expect(rulesInWords({ match: 'all', conditions: [], groups: [] })).toBe('Every contact');
});

describe('a condition means', () => {
  it.each<[Parameters<typeof read>, unknown]>([
    [['status', 'equals', 'ACTIVE'], { all: [{ condition: 'status', value: 'active' }] }],
    [['status', 'is_empty'], { all: [{ condition: 'ids', value: [] }] }],
    [['status', 'is_not_empty'], { all: [] }],
    [['verdict', 'not_equals', 'valid'], { none: [{ condition: 'verdict', value: 'valid' }] }],
    [['domain', 'equals', '@acme.co.uk'], { all: [{ condition: 'domain', value: 'acme.co.uk' }] }],
    [['domain', 'equals', 'x'.repeat(300)], { all: [{ condition: 'ids', value: [] }] }],
    [
      ['createdAt', 'starts_with', '2026-02'],
      { all: [{ condition: 'added', value: { from: '2026-02-01', to: '2026-02-28' } }] },
    ],
    [
      ['createdAt', 'in_last_days', '7'],
      { all: [{ condition: 'added', value: { from: '2026-11-16', to: '2026-11-22' } }] },
    ],
    [['createdAt', 'before', '2026-11-01'], { all: [{ condition: 'added', value: { to: '2026-10-31' } }] }],
    [['risk', 'greater', '59.5'], { all: [{ condition: 'risk', value: { from: 60, to: 100 } }] }],
    [['risk', 'greater', '100'], { all: [{ condition: 'ids', value: [] }] }],
    [['risk', 'is_empty'], { none: [{ condition: 'risk', value: { from: 0, to: 100 } }] }],
  ])('%j', (asked, tree) =>
    expect(treeOf(read(...asked).meaning)).toEqual({ version: 1, ...(tree as object) }),
  );
});
