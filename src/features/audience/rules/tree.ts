import type { z } from 'zod';

/*
 * Who is meant, as data: a tree of conditions. `{version: 1, all: [{condition: 'domain', value:
 * 'kent.sch.uk'}, {none: [...]}]}`. The address bar and the API keep their flat filter, which is
 * converted to a tree on entry (flat-filter.ts). Whatever is kept for later work is kept as a tree.
 * A process refuses whatever it does not understand: leaving out a condition would let more
 * contacts through, and in the end all of them.
 */

/** One condition and its value: `{condition: 'status', value: 'active'}`. */
export interface Leaf {
  condition: string;
  value: unknown;
}

/** Contacts for which all, at least one, or none of the nodes are true. */
export type Group = { all: Node[] } | { any: Node[] } | { none: Node[] };
export type Node = Leaf | Group;
export type Tree = { version: 1 } & Group;

/** All contacts there are. */
export const everybody: Tree = { version: 1, all: [] };

/**
 * How a condition that must be true narrows the search, so that not every contact has to be read:
 * - `rollup`: a rollup counts its contacts.
 * - `domains`: it is about the domain alone. The domains' rollup counts its contacts.
 * - `text`: the search text, in blocks, and its trigram index.
 * - `range`: its contacts lie between two ids.
 * - `ids`: it names them.
 * - `lists`: its own index keeps its contacts in lists by id, and their number.
 * - `index`: an index on the contacts, which does not say how many there are.
 * - `nothing`: every contact has to be read.
 */
export type Bound = 'rollup' | 'domains' | 'text' | 'range' | 'ids' | 'lists' | 'index' | 'nothing';

/** The pure part of a condition. The server's part adds the SQL. */
export interface ConditionRule<Value = unknown> {
  key: string;
  /** Strict. Parsing an already parsed value gives the same value. */
  schema: z.ZodType<Value>;
  bound: Bound;
  /** The condition as the end of "Contacts for which …". */
  words(value: Value): string;
}

/** The known conditions by key. The composition gathers what the features contribute. */
export type ConditionRules = ReadonlyMap<string, Pick<ConditionRule, 'schema' | 'bound' | 'words'>>;

/** Deeper than people can follow or a screen can show. */
export const deepestTree = 6;
/**
 * Conditions and groups together. A segment has a hundred conditions, each of which may be one of
 * several values.
 */
export const mostNodes = 1000;
/**
 * The same with what they stand for: more than anybody can follow, and than the database should
 * test of each contact.
 */
export const mostExpanded = 5000;

/** A tree that was read, or the reason in words why it was not. */
export type ReadTree = { tree: Tree; problem?: never } | { tree?: never; problem: string };

class NotUnderstood extends Error {}

const groupKeys = ['all', 'any', 'none'] as const;

/** The group of a node; null for a condition. */
export function groupOf(node: Node): { kind: (typeof groupKeys)[number]; nodes: Node[] } | null {
  if ('all' in node) return { kind: 'all', nodes: node.all };
  if ('any' in node) return { kind: 'any', nodes: node.any };
  if ('none' in node) return { kind: 'none', nodes: node.none };
  return null;
}

/**
 * Reads a tree that somebody sent or stored. Strict throughout: an unknown version, condition, key
 * or value makes the whole tree invalid. Only the root may be empty, as `all`, which means every
 * contact.
 */
export const readTree = (given: unknown, rules: ConditionRules): ReadTree => readWithin(given, rules, asked);

/**
 * Reads as strictly a tree in which conditions were replaced by what they stand for
 * (`expandTree`). It may be larger and deeper, and any group may be empty: it means everybody.
 */
export const readExpandedTree = (given: unknown, rules: ConditionRules): ReadTree =>
  readWithin(given, rules, expanded);

interface TreeLimits {
  nodes: number;
  depth: number;
  hasEmptyGroups: boolean;
}

const asked: TreeLimits = { nodes: mostNodes, depth: deepestTree, hasEmptyGroups: false };
const expanded: TreeLimits = { nodes: mostExpanded, depth: mostExpanded, hasEmptyGroups: true };

function readWithin(given: unknown, rules: ConditionRules, limits: TreeLimits): ReadTree {
  try {
    return { tree: treeIn(given, rules, limits) };
  } catch (error) {
    if (error instanceof NotUnderstood) return { problem: error.message };
    throw error;
  }
}

function treeIn(given: unknown, rules: ConditionRules, limits: TreeLimits): Tree {
  const { version, ...root } = plainObject(given, 'An audience');
  if (version !== 1) throw new NotUnderstood(`Version ${JSON.stringify(version)} of audiences is not known.`);
  if (Array.isArray(root.all) && root.all.length === 0 && Object.keys(root).length === 1) {
    return { version, all: [] };
  }
  const node = nodeIn(root, 1, { rules, limits, nodes: 0 });
  if (groupOf(node) === null) throw new NotUnderstood('An audience begins with all, any or none.');
  return { version, ...(node as Group) };
}

interface NodeReading {
  rules: ConditionRules;
  limits: TreeLimits;
  /** How many were read so far. */
  nodes: number;
}

function nodeIn(given: unknown, depth: number, reading: NodeReading): Node {
  const { rules, limits } = reading;
  const node = plainObject(given, 'A condition');
  reading.nodes += 1;
  if (reading.nodes > limits.nodes)
    throw new NotUnderstood(`An audience has at most ${limits.nodes} conditions.`);
  const kind = groupKeys.find((key) => Object.hasOwn(node, key));
  if (kind === undefined) return leafIn(node, rules);
  if (depth > limits.depth) throw new NotUnderstood(`Conditions are nested at most ${limits.depth} deep.`);
  refuseOthers(node, [kind]);
  const within = node[kind];
  if (!Array.isArray(within) || (within.length === 0 && !limits.hasEmptyGroups)) {
    throw new NotUnderstood(`“${kind}” has to hold at least one condition.`);
  }
  const nodes = within.map((one) => nodeIn(one, depth + 1, reading));
  return { [kind]: nodes } as Group;
}

function leafIn(node: Record<string, unknown>, rules: ConditionRules): Leaf {
  refuseOthers(node, ['condition', 'value']);
  const { condition } = node;
  const rule = typeof condition === 'string' ? rules.get(condition) : undefined;
  if (!rule) throw new NotUnderstood(`The condition ${quoted(condition)} is not known.`);
  const parsed = rule.schema.safeParse(node.value);
  if (!parsed.success)
    throw new NotUnderstood(`The condition ${quoted(condition)} does not take this value.`);
  return { condition: condition as string, value: parsed.data };
}

function plainObject(given: unknown, what: string): Record<string, unknown> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given };
  throw new NotUnderstood(`${what} is an object.`);
}

function refuseOthers(node: Record<string, unknown>, known: readonly string[]): void {
  const other = Object.keys(node).find((key) => !known.includes(key));
  if (other !== undefined) throw new NotUnderstood(`${quoted(other)} is not known here.`);
}

const quoted = (name: unknown): string => `“${String(name).slice(0, 80)}”`;

/**
 * Who is meant, in words: "contacts for which the status is active, and none of: the domain is
 * kent.sch.uk".
 */
export function treeInWords(tree: Tree, rules: ConditionRules): string {
  const root = groupOf(tree);
  if (!root || root.nodes.length === 0) return 'all contacts';
  return `contacts for which ${wordsOf(tree, rules)}`;
}

function wordsOf(node: Node, rules: ConditionRules): string {
  const group = groupOf(node);
  if (group === null) {
    const { condition, value } = node as Leaf;
    return rules.get(condition)?.words(value) ?? condition;
  }
  const parts = group.nodes.map((one) => {
    const inner = groupOf(one);
    return inner && inner.nodes.length > 1 ? `(${wordsOf(one, rules)})` : wordsOf(one, rules);
  });
  if (group.kind === 'none') return `none is true of: ${parts.join('; ')}`;
  return parts.join(group.kind === 'all' ? ' and ' : ' or ');
}
