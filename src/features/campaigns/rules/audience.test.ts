import { expect, it } from 'vitest';
import type { Tree } from '#features/audience/rules/tree.ts';
import { neededLists, treeOfAudience } from './audience.ts';

const list = (...value: number[]) => ({ condition: 'list', value });
const bothOf = (one: number, other: number) => ({ all: [list(one), list(other)] });
const tag = { condition: 'tag', value: [9] };

it.each<[what: string, tree: Tree, needed: number[][]]>([
  ['everybody', { version: 1, all: [] }, []],
  ['one of two lists', { version: 1, all: [{ any: [list(1, 2)] }] }, [[1, 2]]],
  ['a list, and nobody of a tag', { version: 1, all: [{ any: [list(1)] }, { none: [tag] }] }, [[1]]],
  ['a list or a tag', { version: 1, all: [{ any: [list(1), tag] }] }, []],
  ['a list, or a tag of another list', { version: 1, any: [list(1), { all: [tag, list(2)] }] }, [[1, 2]]],
  ['both of two lists', { version: 1, all: [list(1), tag, list(2)] }, [[1], [2]]],
  [
    'a list, or both of two',
    { version: 1, any: [list(1), bothOf(2, 3)] },
    [
      [1, 2],
      [1, 3],
    ],
  ],
  ['nobody of a list', { version: 1, none: [list(1)] }, []],
])('without which lists nobody is in: %s', (_what, tree, needed) => {
  expect(neededLists(tree)).toEqual(needed);
});

it('of many alternatives, some of what each needs is kept', () => {
  const needed = neededLists({
    version: 1,
    any: Array.from({ length: 20 }, (_, n) => bothOf(2 * n, 2 * n + 1)),
  });
  expect(needed.length).toBeGreaterThan(1);
  expect(needed.length).toBeLessThanOrEqual(100);
  // With none of some alternative, somebody would be left out who is in by that one.
  for (const lists of needed)
    expect(lists.map((id) => Math.floor(id / 2))).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

it('of a campaign that it follows up, those are meant who are on its list still', () => {
  const of = new Map([
    [
      5,
      [
        { lists: [1, 2], kept: [2] },
        { lists: [3], kept: [] },
      ],
    ],
  ]);
  const noFilter = (): Tree => ({ version: 1, all: [] });
  const tree = treeOfAudience({ include: [{ opened: 5 }], exclude: [{ sent: 5 }] }, noFilter, of);
  const left = { condition: 'leftList', value: [1, 2] };
  expect(tree).toEqual({
    version: 1,
    all: [
      {
        any: [
          {
            all: [
              { condition: 'openedCampaign', value: [5] },
              { none: [{ all: [left, { none: [list(2)] }] }, { condition: 'leftList', value: [3] }] },
            ],
          },
        ],
      },
      // Leaving out fewer would mean more people.
      { none: [{ all: [{ condition: 'sentCampaign', value: [5] }] }] },
    ],
  });
  expect(neededLists(tree, of)).toEqual([[1, 2], [3]]);
});
