import { type ConditionRules, groupOf, type Leaf, type Node, type Tree } from './tree.ts';

/**
 * What all contacts of a tree have in common, sorted by the lead it gives. Only the first of each
 * lead is kept; the rest are in `others`.
 */
export interface Conjuncts<Index = unknown> {
  search: Leaf | null;
  domain: Leaf | null;
  status: Leaf | null;
  ids: Leaf | null;
  /** A condition on the domain alone, which names many of them. */
  inDomains: Leaf | null;
  /** Conditions whose contacts lie between two ids. */
  ranges: Leaf[];
  /** Conditions that are lists in this index. */
  listed: { index: Index; leaves: Leaf[] } | null;
  /** Everything that can only be tested: other conditions, and groups. */
  others: Node[];
}

/**
 * The conditions that every contact of the tree fulfils. `indexOf` gives the index whose lists lead
 * to the contacts of a condition.
 */
export function conjunctsOf<Index>(
  tree: Tree,
  rules: ConditionRules,
  indexOf: (leaf: Leaf) => Index | undefined,
): Conjuncts<Index> {
  const found: Conjuncts<Index> = {
    search: null,
    domain: null,
    status: null,
    ids: null,
    inDomains: null,
    ranges: [],
    listed: null,
    others: [],
  };
  for (const node of inAll(tree)) {
    if (!('condition' in node) || !leads(found, node, rules, indexOf(node))) found.others.push(node);
  }
  // A rollup counts the contacts of some domains, but not which of them are in a list, named or of
  // one domain.
  if (found.inDomains && (found.domain || found.listed || found.ids)) {
    found.others.push(found.inDomains);
    found.inDomains = null;
  }
  return found;
}

/**
 * Files a condition under its lead. Answers false when it leads nowhere, or when that lead is
 * already taken.
 */
function leads<Index>(
  found: Conjuncts<Index>,
  leaf: Leaf,
  rules: ConditionRules,
  index: Index | undefined,
): boolean {
  if (index !== undefined) {
    found.listed ??= { index, leaves: [] };
    if (found.listed.index !== index) return false;
    found.listed.leaves.push(leaf);
    return true;
  }
  if (rules.get(leaf.condition)?.bound === 'range') {
    found.ranges.push(leaf);
    return true;
  }
  if (rules.get(leaf.condition)?.bound === 'domains' && found.inDomains === null) {
    found.inDomains = leaf;
    return true;
  }
  const name = leadNames.find((one) => one === leaf.condition);
  if (name === undefined || found[name] !== null) return false;
  found[name] = leaf;
  return true;
}

const leadNames = ['search', 'domain', 'status', 'ids'] as const;

/**
 * The nodes that must all be true. A group with a single node that must be true becomes that node.
 */
export function inAll(node: Node): Node[] {
  const group = groupOf(node);
  const isAll = group?.kind === 'all' || (group?.kind === 'any' && group.nodes.length === 1);
  return group && isAll ? group.nodes.flatMap(inAll) : [node];
}
