import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { type ContactFilter, filterWith } from '../contract.ts';
import { addedRule, domainRule, importRule, searchRule, sourceRule } from './conditions.ts';
import { recordOf, selectionOf, treeOfSelection, withTree } from './flat-filter.ts';
import type { ConditionRule, Tree } from './tree.ts';

const whole: Required<ContactFilter> = {
  search: "o'hara%_\\ 🏫",
  status: 'active',
  domain: 'kent.sch.uk',
  verdict: 'risky',
  reason: 'role',
  kind: 'academic',
  uk: 'uk',
  riskFrom: 0,
  riskTo: 39,
  source: 'Trade fair',
  importId: 12,
  addedFrom: '2026-03-01',
  addedTo: '2026-03-31',
  list: [3],
  tag: [4, 5],
  basis: ['consent', 'none'],
};

it('becomes a tree of all of its conditions', () => {
  const { all } = treeOfSelection({ filter: whole }) as Extract<Tree, { all: unknown }>;
  expect(all).toEqual([
    { condition: 'search', value: whole.search },
    { condition: 'status', value: 'active' },
    { condition: 'domain', value: 'kent.sch.uk' },
    { condition: 'verdict', value: 'risky' },
    { condition: 'reason', value: 'role' },
    { condition: 'kind', value: 'academic' },
    { condition: 'uk', value: 'uk' },
    { condition: 'risk', value: { from: 0, to: 39 } },
    { condition: 'source', value: 'Trade fair' },
    { condition: 'import', value: 12 },
    { condition: 'added', value: { from: '2026-03-01', to: '2026-03-31' } },
    { condition: 'list', value: [3] },
    { condition: 'tag', value: [4, 5] },
    { condition: 'basis', value: ['consent', 'none'] },
  ]);
});

it.each<[ContactFilter]>([
  [{}],
  [whole],
  [{ riskFrom: 0 }],
  [{ riskTo: 100 }],
  [{ addedTo: '2026-03-31' }],
  [{ source: ' ' }],
])('comes back as it was: %j', (filter) => {
  expect(selectionOf(treeOfSelection({ filter }))).toEqual({ filter });
});

it('asks for nothing with a blank search or domain', () => {
  expect(treeOfSelection({ filter: { search: ' \0 ', domain: '\t', status: undefined } })).toEqual({
    version: 1,
    all: [],
  });
});

describe('filters that a feature adds', () => {
  const added: AddedFilters = {
    hasBone: { schema: z.string(), condition: 'bone' },
    boneGone: { schema: z.string(), condition: 'bone' },
    barksFrom: { schema: z.number(), condition: 'barks', end: 'from' },
    barksTo: { schema: z.number(), condition: 'barks', end: 'to' },
    sinceYear: { schema: z.number(), condition: 'year', end: 'from' },
    added: { schema: z.unknown(), condition: 'added' },
  };
  const treeOf = (filter: object) => treeOfSelection({ filter }, added);

  it('become conditions beside the own ones, and come back', () => {
    const filter = { status: 'active', hasBone: 'yes', barksTo: 9, barksFrom: 2 };
    const tree = treeOf(filter);
    expect(tree).toEqual({
      version: 1,
      all: [
        { condition: 'status', value: 'active' },
        { condition: 'bone', value: 'yes' },
        { condition: 'barks', value: { from: 2, to: 9 } },
      ],
    });
    expect(selectionOf(tree, added)).toEqual({ filter });
    expect(selectionOf(tree)).toBeNull();
  });

  it('for one condition are all asked for', () => {
    expect(treeOf({ hasBone: 'yes', boneGone: 'no' })).toEqual({
      version: 1,
      all: [
        { condition: 'bone', value: 'yes' },
        { condition: 'bone', value: 'no' },
      ],
    });
    const days = { from: '2026-03-01' };
    expect(treeOf({ added: days, addedFrom: '2026-04-01' })).toEqual({
      version: 1,
      all: [
        { condition: 'added', value: days },
        { condition: 'added', value: { from: '2026-04-01' } },
      ],
    });
  });

  it('cannot say the end of a condition that has no name', () => {
    const all = [{ condition: 'year', value: { from: 2020, to: 2026 } }];
    expect(selectionOf({ version: 1, all }, added)).toBeNull();
  });

  it('may not take a name that is there', () => {
    expect(() => filterWith({ search: { schema: z.string(), condition: 'bone' } }, {})).toThrow('search');
    expect(() => filterWith(added, { hasBone: z.string() })).toThrow('hasBone');
  });
});

it('named contacts come back as they were', () => {
  expect(selectionOf(treeOfSelection({ ids: [3, 1] }))).toEqual({ ids: [3, 1] });
});

it.each<[Tree]>([
  [{ version: 1, any: [{ condition: 'status', value: 'active' }] }],
  [{ version: 1, all: [{ none: [{ condition: 'status', value: 'active' }] }] }],
  [{ version: 1, all: [{ condition: 'opened', value: true }] }],
  [
    {
      version: 1,
      all: [
        { condition: 'domain', value: 'a.uk' },
        { condition: 'domain', value: 'b.uk' },
      ],
    },
  ],
  [
    {
      version: 1,
      all: [
        { condition: 'ids', value: [1] },
        { condition: 'domain', value: 'b.uk' },
      ],
    },
  ],
])('a call cannot say %j', (tree) => {
  expect(selectionOf(tree)).toBeNull();
});

it('the audit log is told how many were named, the filter, or the words', () => {
  const rules = new Map<string, ConditionRule>([[domainRule.key, domainRule as ConditionRule]]);
  expect(recordOf(treeOfSelection({ ids: [3, 1] }), rules)).toEqual({ named: 2 });
  expect(recordOf(treeOfSelection({ filter: { domain: 'a.uk' } }), rules)).toEqual({
    filter: { domain: 'a.uk' },
  });
  const others: Tree = { version: 1, none: [{ condition: 'domain', value: 'a.uk' }] };
  expect(recordOf(others, rules)).toEqual({
    audience: 'contacts for which none is true of: the domain is a.uk',
  });
});

it.each<[ConditionRule, unknown[], unknown[]]>([
  [searchRule, ['a', ' 🏫 ', 'x'.repeat(320)], ['', '  ', '\0', 'x'.repeat(321), 7]],
  [domainRule, ['a.uk'], ['', ' ', 'x'.repeat(254)]],
  [sourceRule, [' ', 'x'.repeat(1000)], ['', 'x'.repeat(1001), null]],
  [importRule, [1], [0, -1, 1.5, '1', 2 ** 53]],
  [
    addedRule,
    [{ from: '2026-03-01' }, { to: '0001-01-01' }],
    [{}, { from: '2026-02-30' }, { from: '0000-01-01' }, { from: '2026-03-01', until: '2026-03-02' }],
  ],
] as never)('%s', ({ schema }, taken, refused) => {
  for (const value of taken) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(true);
  for (const value of refused) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
});

it.each<[unknown, unknown]>([
  [
    { selection: { filter: { domain: 'a.uk' } }, count: 3 },
    { audience: { version: 1, all: [{ condition: 'domain', value: 'a.uk' }] }, count: 3 },
  ],
  [
    { selection: { ids: [7] }, count: 1 },
    { audience: { version: 1, all: [{ condition: 'ids', value: [7] }] }, count: 1 },
  ],
  [
    { selection: null, dns: true },
    { audience: null, dns: true },
  ],
])('work that kept a selection, %j, is read with its tree', (stored, read) => {
  expect(withTree(stored)).toEqual(read);
});

it.each([
  [{ selection: { filter: { opened: 'yes' } } }],
  [{ selection: { filter: {}, limit: 3 } }],
  [{ selection: undefined }],
  [{ audience: { version: 1, all: [] } }],
  [{}],
  [null],
  ['all'],
])('what kept no selection that is known, %j, stays as it is', (stored) => {
  expect(withTree(stored)).toBe(stored);
});
