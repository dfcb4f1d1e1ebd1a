import { groupOf, type Node, type Tree } from '#features/audience/rules/tree.ts';

/** Whom a condition means, for the audience: a node of its tree, or everybody (true), or nobody. */
export type Meaning = Node | boolean;

/** Those for whom all are true. */
export function allOf(meanings: readonly Meaning[]): Meaning {
  if (meanings.includes(false)) return false;
  const nodes = meanings.filter((one) => typeof one !== 'boolean');
  return nodes.length === 0 ? true : nodes.length === 1 ? (nodes[0] as Node) : { all: nodes };
}

/** Those for whom at least one is true. */
export function anyOf(meanings: readonly Meaning[]): Meaning {
  if (meanings.includes(true)) return true;
  const nodes = meanings.filter((one) => typeof one !== 'boolean');
  return nodes.length === 0 ? false : nodes.length === 1 ? (nodes[0] as Node) : { any: nodes };
}

/** Those for whom none is true. */
export function noneOf(meanings: readonly Meaning[]): Meaning {
  const some = anyOf(meanings);
  if (typeof some === 'boolean') return !some;
  return 'any' in some ? { none: some.any } : { none: [some] };
}

export const combined = { all: allOf, any: anyOf, none: noneOf } as const;

/** The tree of a meaning. Nobody is a list of no names. */
export function treeOf(meaning: Meaning): Tree {
  if (meaning === true) return { version: 1, all: [] };
  if (meaning === false) return { version: 1, all: [{ condition: 'ids', value: [] }] };
  return groupOf(meaning) ? ({ version: 1, ...meaning } as Tree) : { version: 1, all: [meaning] };
}
