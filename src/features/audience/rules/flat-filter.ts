import { type ContactFilter, type ContactSelection, contactSelection } from '../contract.ts';
import { hasText } from './conditions.ts';
import { type ConditionRules, groupOf, type Leaf, type Tree, treeInWords } from './tree.ts';

/** Converts the flat filter of the address bar and the API to a tree, and back. */

/** Names of the flat filter that are the two ends of one condition. */
const ends = {
  riskFrom: ['risk', 'from'],
  riskTo: ['risk', 'to'],
  addedFrom: ['added', 'from'],
  addedTo: ['added', 'to'],
} as const satisfies Partial<Record<keyof ContactFilter, [string, 'from' | 'to']>>;
type End = keyof typeof ends;

/** The condition for every other name. */
const single: Record<Exclude<keyof ContactFilter, End>, string> = {
  search: 'search',
  domain: 'domain',
  status: 'status',
  verdict: 'verdict',
  reason: 'reason',
  kind: 'kind',
  uk: 'uk',
  source: 'source',
  importId: 'import',
};
type Name = keyof ContactFilter;

/** The tree of a flat filter: all of its conditions. A blank search or domain is ignored. */
function treeOfFilter(filter: ContactFilter): Tree {
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(filter) as [Name, unknown][]) {
    if (value === undefined || isBlank(name, value)) continue;
    if (name in ends) {
      const [condition, end] = ends[name as End];
      const before = leaves.get(condition)?.value as object | undefined;
      leaves.set(condition, { condition, value: { ...before, [end]: value } });
    } else {
      const condition = single[name as Exclude<Name, End>];
      leaves.set(condition, { condition, value });
    }
  }
  return { version: 1, all: [...leaves.values()] };
}

const isBlank = (name: Name, value: unknown): boolean =>
  (name === 'search' || name === 'domain') && typeof value === 'string' && !hasText(value);

/** The tree of a selection. Its conditions are not yet checked to be known ones. */
export function treeOfSelection(selection: ContactSelection): Tree {
  if (!('ids' in selection)) return treeOfFilter(selection.filter);
  return { version: 1, all: [{ condition: 'ids', value: selection.ids }] };
}

/**
 * The stored input of work, with its tree. Until November 2026, work stored the selection of its
 * call instead, or null for all contacts. Input that is not understood stays as it is, and the
 * strict reader refuses it.
 */
export function withTree(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('selection' in input)) return input;
  const { selection, ...rest } = input;
  if (selection === null) return { ...rest, audience: null };
  const { data } = contactSelection.safeParse(selection);
  return data ? { ...rest, audience: treeOfSelection(data) } : input;
}

/** The flat filter with the same meaning. Null when a flat filter cannot express the tree. */
function filterOf(tree: Tree): ContactFilter | null {
  const root = groupOf(tree);
  if (root?.kind !== 'all') return null;
  const filter: Record<string, unknown> = {};
  for (const node of root.nodes) {
    const fields = 'condition' in node ? fieldsOf(node) : null;
    if (fields === null || Object.keys(fields).some((name) => name in filter)) return null;
    Object.assign(filter, fields);
  }
  return filter as ContactFilter;
}

function fieldsOf({ condition, value }: Leaf): Record<string, unknown> | null {
  const name = Object.entries(single).find(([, one]) => one === condition)?.[0];
  if (name !== undefined) return { [name]: value };
  const names = Object.entries(ends).filter(([, [one]]) => one === condition);
  if (names.length === 0) return null;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(
    names.flatMap(([end, [, key]]) => (given[key] === undefined ? [] : [[end, given[key]]])),
  );
}

/** The selection with the same meaning. Null when a call cannot express the tree. */
export function selectionOf(tree: Tree): ContactSelection | null {
  const root = groupOf(tree);
  const [only] = root?.kind === 'all' && root.nodes.length === 1 ? root.nodes : [];
  if (only && 'condition' in only && only.condition === 'ids') return { ids: only.value as number[] };
  const filter = filterOf(tree);
  return filter && { filter };
}

/** What the audit log keeps about who was meant. */
export type AudienceRecord = { named: number } | { filter: ContactFilter } | { audience: string };

/** How many were named, or the flat filter, or else the audience in words. */
export function recordOf(tree: Tree, rules: ConditionRules): AudienceRecord {
  const selection = selectionOf(tree);
  if (selection === null) return { audience: treeInWords(tree, rules) };
  return 'ids' in selection ? { named: selection.ids.length } : { filter: selection.filter };
}
