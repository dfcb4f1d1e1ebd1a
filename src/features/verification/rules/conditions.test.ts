import { expect, it } from 'vitest';
import { chooseProfiles, kindRule, ukRule, verdictRules } from './conditions.ts';

const profiles = [
  { id: 1, verdict: 'valid', reasons: [], risk: 0, kind: 'corporate' },
  { id: 2, verdict: 'risky', reasons: ['role'], risk: 30, kind: 'role' },
  { id: 3, verdict: 'risky', reasons: ['disposable', 'role'], risk: 60, kind: null },
];
const leaf = (condition: string, value: unknown) => ({ condition, value });

it.each<[[string, unknown][], number[]]>([
  [[], [1, 2, 3]],
  [[['verdict', 'risky']], [2, 3]],
  [[['reason', 'disposable']], [3]],
  [[['kind', 'role']], [2]],
  [[['risk', { from: 0 }]], [1, 2, 3]],
  [[['risk', { from: 30, to: 59 }]], [2]],
  [[['risk', { to: 29 }]], [1]],
  [
    [
      ['verdict', 'risky'],
      ['kind', 'role'],
    ],
    [2],
  ],
  [
    [
      ['risk', { from: 10 }],
      ['risk', { to: 40 }],
    ],
    [2],
  ],
  [
    [
      ['verdict', 'valid'],
      ['reason', 'role'],
    ],
    [],
  ],
  [[['opened', 'yes']], []],
])('the profiles that fulfil %j', (asked, ids) => {
  const leaves = asked.map(([condition, value]) => leaf(condition, value));
  expect(chooseProfiles(leaves, profiles).map(({ id }) => id)).toEqual(ids);
});

it.each<[string, unknown[]]>([
  ['verdict', ['lovely', null, 'VALID']],
  ['reason', ['', 'roles']],
  ['kind', [null, 'business']],
  ['uk', ['gb']],
  ['risk', [{}, { from: -1 }, { to: 101 }, { from: '3' }, { from: 1, until: 2 }, 30]],
])('%s does not take %j', (key, values) => {
  const rule = [...verdictRules, kindRule, ukRule].find((one) => one.key === key);
  for (const value of values)
    expect(rule?.schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
});
