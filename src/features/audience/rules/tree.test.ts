import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { conjunctsOf } from './conjuncts.ts';
import {
  type ConditionRule,
  deepestTree,
  everybody,
  mostNodes,
  type Node,
  readTree,
  treeInWords,
} from './tree.ts';

const rule = (key: string, schema: z.ZodType, bound: ConditionRule['bound']): [string, ConditionRule] => [
  key,
  { key, schema, bound, words: (value) => `${key} is ${value}` },
];
const rules = new Map<string, ConditionRule>([
  rule('search', z.string().min(1), 'text'),
  rule('domain', z.string().min(1), 'rollup'),
  rule('added', z.strictObject({ from: z.string() }), 'range'),
  rule('size', z.number().int(), 'nothing'),
  rule('uk', z.string(), 'domains'),
  rule('verdict', z.string(), 'lists'),
  rule('reason', z.string(), 'lists'),
  rule('opened', z.string(), 'lists'),
]);
const read = (given: unknown) => readTree(given, rules);
const leaf = (condition: string, value: unknown) => ({ condition, value });
const size = leaf('size', 3);

describe('a tree', () => {
  it.each([
    [everybody],
    [{ version: 1, all: [size] }],
    [{ version: 1, any: [size, leaf('domain', "o'hara%_\\.uk 🏫")] }],
    [{ version: 1, none: [{ all: [size, { any: [size] }] }] }],
  ])('is read as it was written: %j', (tree) => {
    expect(read(JSON.parse(JSON.stringify(tree)))).toEqual({ tree });
  });

  it.each<[unknown, string]>([
    [undefined, 'object'],
    [null, 'object'],
    ['all', 'object'],
    [[], 'object'],
    [{}, 'Version undefined'],
    [{ all: [] }, 'Version undefined'],
    [{ version: 2, all: [] }, 'Version 2'],
    [{ version: '1', all: [] }, 'Version "1"'],
    [{ version: 1 }, 'The condition “undefined” is not known'],
    [{ version: 1, all: {} }, 'has to hold'],
    [{ version: 1, all: null }, 'has to hold'],
    [{ version: 1, any: [] }, 'has to hold'],
    [{ version: 1, none: [] }, 'has to hold'],
    [{ version: 1, all: [{ all: [] }] }, 'has to hold'],
    [{ version: 1, all: [], any: [size] }, '“any” is not known here'],
    [{ version: 1, all: [size], limit: 10 }, '“limit” is not known here'],
    [{ version: 1, condition: 'size', value: 3 }, 'begins with'],
    [{ version: 1, all: [leaf('clicked', 'yes')] }, 'The condition “clicked” is not known'],
    [{ version: 1, none: [{ any: [leaf('clicked', 'yes')] }] }, 'The condition “clicked” is not known'],
    [{ version: 1, all: [leaf('toString', 'yes')] }, 'The condition “toString” is not known'],
    [{ version: 1, all: [{ condition: 7, value: 'yes' }] }, 'The condition “7” is not known'],
    [{ version: 1, all: [leaf('size', '3')] }, '“size” does not take this value'],
    [{ version: 1, all: [{ condition: 'size' }] }, '“size” does not take this value'],
    [{ version: 1, all: [leaf('added', { from: 'x', until: 'y' })] }, '“added” does not take this value'],
    [{ version: 1, all: [{ ...size, not: true }] }, '“not” is not known here'],
    [{ version: 1, all: ['size'] }, 'A condition is an object'],
    [{ version: 1, all: [[size]] }, 'A condition is an object'],
  ])('is refused whole where part of it is not understood: %j', (given, problem) => {
    const answer = read(given);
    expect(answer.tree).toBeUndefined();
    expect(answer.problem).toContain(problem);
  });

  it('has limits to its depth and its size', () => {
    const nested = (depth: number): Node => (depth === 0 ? size : { all: [nested(depth - 1)] });
    expect(read({ version: 1, all: [nested(deepestTree - 1)] }).problem).toBeUndefined();
    expect(read({ version: 1, all: [nested(deepestTree)] }).problem).toContain('nested');
    expect(read({ version: 1, all: Array.from({ length: mostNodes - 1 }, () => size) }).tree).toBeDefined();
    expect(read({ version: 1, all: Array.from({ length: mostNodes }, () => size) }).problem).toContain(
      'at most',
    );
  });

  it('is said in words', () => {
    const words = (tree: object) => treeInWords({ version: 1, ...tree } as never, rules);
    expect(words({ all: [] })).toBe('all contacts');
    expect(words({ all: [size, leaf('domain', 'a.uk')] })).toBe(
      'contacts for which size is 3 and domain is a.uk',
    );
    expect(words({ any: [size, { all: [size, size] }] })).toBe(
      'contacts for which size is 3 or (size is 3 and size is 3)',
    );
    expect(words({ all: [size, { none: [size, leaf('domain', 'a.uk')] }] })).toBe(
      'contacts for which size is 3 and (none is true of: size is 3; domain is a.uk)',
    );
  });
});

describe('what all contacts of a tree have in common', () => {
  const index: Record<string, string> = { verdict: 'verdicts', reason: 'verdicts', opened: 'opens' };
  const common = (nodes: object) =>
    conjunctsOf({ version: 1, ...nodes } as never, rules, ({ condition }) => index[condition]);
  const nothing = {
    search: null,
    domain: null,
    status: null,
    ids: null,
    inDomains: null,
    ranges: [],
    listed: null,
    others: [],
  };
  const [domain, other] = [leaf('domain', 'a.uk'), leaf('domain', 'b.uk')];
  const added = leaf('added', { from: 'x' });
  const uk = leaf('uk', 'global');

  it.each<[object, object]>([
    [{ all: [] }, {}],
    [{ all: [domain, size] }, { domain, others: [size] }],
    [{ all: [{ all: [domain] }, { any: [leaf('search', 'x')] }] }, { domain, search: leaf('search', 'x') }],
    [{ any: [domain] }, { domain }],
    [{ all: [domain, other] }, { domain, others: [other] }],
    [{ any: [domain, other] }, { others: [{ version: 1, any: [domain, other] }] }],
    [{ none: [domain] }, { others: [{ version: 1, none: [domain] }] }],
    [{ all: [domain, { none: [other] }] }, { domain, others: [{ none: [other] }] }],
    [{ all: [uk] }, { inDomains: uk }],
    [{ all: [uk, size, uk] }, { inDomains: uk, others: [size, uk] }],
    [{ all: [uk, domain] }, { domain, others: [uk] }],
    [{ any: [uk, size] }, { others: [{ version: 1, any: [uk, size] }] }],
    [
      { all: [leaf('verdict', 'valid'), uk] },
      { listed: { index: 'verdicts', leaves: [leaf('verdict', 'valid')] }, others: [uk] },
    ],
    [{ all: [added, added] }, { ranges: [added, added] }],
    [
      { all: [leaf('verdict', 'valid'), leaf('opened', 'yes'), leaf('reason', 'role')] },
      {
        listed: { index: 'verdicts', leaves: [leaf('verdict', 'valid'), leaf('reason', 'role')] },
        others: [leaf('opened', 'yes')],
      },
    ],
  ])('%j', (tree, found) => {
    expect(common(tree)).toEqual({ ...nothing, ...found });
  });
});
