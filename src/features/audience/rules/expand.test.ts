import { expect, it } from 'vitest';
import { type Expansion, expandTree } from './expand.ts';
import type { Leaf, Tree } from './tree.ts';

const domain: Leaf = { condition: 'domain', value: 'acme.co.uk' };
const list = (value: number): Leaf => ({ condition: 'list', value });

/** Lists by number. One that is not there refuses to be asked for. */
const expansionOf = (lists: Record<number, Tree>): Expansion => ({
  expand: async ({ condition, value }) => (condition === 'list' ? (lists[value as number] as Tree) : null),
  words: ({ value }) => `it is on list ${value}`,
});

it('puts what a condition stands for in its place, in any depth', async () => {
  const lists: Record<number, Tree> = {
    1: { version: 1, any: [domain, list(2)] },
    2: { version: 1, none: [domain] },
    3: { version: 1, all: [] },
  };
  const tree: Tree = { version: 1, all: [list(1), { none: [list(3)] }, domain] };
  expect(await expandTree(tree, expansionOf(lists))).toEqual({
    version: 1,
    all: [{ any: [domain, { none: [domain] }] }, { none: [{ all: [] }] }, domain],
  });
});

it('leaves a tree without such conditions as it is, with the same conditions', async () => {
  const tree: Tree = { version: 1, any: [domain, { none: [domain] }] };
  const same = await expandTree(tree, expansionOf({}));
  expect(same).toEqual(tree);
  expect('any' in same && same.any[0]).toBe(domain);
});

it('asks for the same list twice, but never goes round in a circle', async () => {
  const lists: Record<number, Tree> = {
    1: { version: 1, all: [list(2)] },
    2: { version: 1, all: [domain, { any: [list(3), list(4)] }] },
    3: { version: 1, all: [domain] },
    4: { version: 1, all: [list(1)] },
  };
  await expect(
    expandTree({ version: 1, all: [list(3), list(3)] }, expansionOf(lists)),
  ).resolves.toBeDefined();
  await expect(expandTree({ version: 1, all: [list(1)] }, expansionOf(lists))).rejects.toThrow(
    'These rules go round in a circle: “it is on list 1” leads back to itself.',
  );
});

it('refuses lists of lists that come to too many conditions', async () => {
  const lists = Object.fromEntries(
    Array.from({ length: 12 }, (_, n): [number, Tree] => [
      n,
      { version: 1, any: n === 11 ? [domain] : [list(n + 1), list(n + 1), list(n + 1)] },
    ]),
  );
  await expect(expandTree({ version: 1, all: [list(0)] }, expansionOf(lists))).rejects.toThrow(
    'so many others',
  );
});
