import { expect, it } from 'vitest';
import type { Tree } from '#features/audience/rules/tree.ts';
import { neededLists, treeOfAudience } from './audience.ts';

const list = (...value: number[]) => ({ condition: 'list', value });
const tag = { condition: 'tag', value: [9] };

it.each<[what: string, tree: Tree, lists: number[] | null]>([
  ['everybody', { version: 1, all: [] }, null],
  ['one of two lists', { version: 1, all: [{ any: [list(1, 2)] }] }, [1, 2]],
  ['a list, and nobody of a tag', { version: 1, all: [{ any: [list(1)] }, { none: [tag] }] }, [1]],
  ['a list or a tag', { version: 1, all: [{ any: [list(1), tag] }] }, null],
  ['a list, or a tag of another list', { version: 1, any: [list(1), { all: [tag, list(2)] }] }, [1, 2]],
  ['nobody of a list', { version: 1, none: [list(1)] }, null],
])('without which lists nobody is in: %s', (_what, tree, lists) => {
  expect(neededLists(tree)).toEqual(lists);
});

it('of a campaign that it follows up, those are meant who are on its list still', () => {
  const of = new Map([[5, { lists: [1, 2], kept: [2] }]]);
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
              { none: [{ all: [left, { none: [list(2)] }] }] },
            ],
          },
        ],
      },
      // Leaving out fewer would mean more people.
      { none: [{ all: [{ condition: 'sentCampaign', value: [5] }] }] },
    ],
  });
  expect(neededLists(tree, of)).toEqual([1, 2]);
});
