import { expect, it } from 'vitest';
import type { Tree } from '#features/audience/rules/tree.ts';
import { neededLists } from './audience.ts';

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
