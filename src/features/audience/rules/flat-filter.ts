import type { AddedFilter, AddedFilters } from '#platform/shared/added-filter.ts';
import { type ContactFilter, type ContactSelection, selectionWith } from '../contract.ts';
import { hasText } from './conditions.ts';
import { type ConditionRules, groupOf, type Leaf, type Tree, treeInWords } from './tree.ts';

/** Converts the flat filter of the address bar and the API to a tree, and back. */

/** What each own name asks: the value of a condition, or one end of it. */
const own: Record<keyof ContactFilter, Pick<AddedFilter, 'condition' | 'end'>> = {
  search: { condition: 'search' },
  domain: { condition: 'domain' },
  status: { condition: 'status' },
  verdict: { condition: 'verdict' },
  reason: { condition: 'reason' },
  kind: { condition: 'kind' },
  uk: { condition: 'uk' },
  riskFrom: { condition: 'risk', end: 'from' },
  riskTo: { condition: 'risk', end: 'to' },
  source: { condition: 'source' },
  importId: { condition: 'import' },
  addedFrom: { condition: 'added', end: 'from' },
  addedTo: { condition: 'added', end: 'to' },
  list: { condition: 'list' },
  tag: { condition: 'tag' },
  basis: { condition: 'basis' },
};

const namesWith = (added: AddedFilters) => Object.entries({ ...own, ...added });

/** The tree of a flat filter: all of its conditions. A blank search or domain is ignored. */
function treeOfFilter(filter: ContactFilter, added: AddedFilters): Tree {
  const names = new Map(namesWith(added));
  const leaves: Leaf[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined || isBlank(name, value)) continue;
    // A name that stands for nothing becomes a condition that nobody knows, and is refused.
    const { condition, end } = names.get(name) ?? { condition: name };
    const begun = end && leaves.find((leaf) => leaf.condition === condition && !hasKey(leaf.value, end));
    if (begun) begun.value = { ...(begun.value as object), [end]: value };
    else leaves.push({ condition, value: end ? { [end]: value } : value });
  }
  return { version: 1, all: leaves };
}

const hasKey = (value: unknown, key: string): boolean => Object.hasOwn(value as object, key);

const isBlank = (name: string, value: unknown): boolean =>
  (name === 'search' || name === 'domain') && typeof value === 'string' && !hasText(value);

/** The tree of a selection. Its conditions are not yet checked to be known ones. */
export function treeOfSelection(selection: ContactSelection, added: AddedFilters = {}): Tree {
  if (!('ids' in selection)) return treeOfFilter(selection.filter, added);
  return { version: 1, all: [{ condition: 'ids', value: selection.ids }] };
}

/** Stored selections are older than any added filter. */
const ownSelection = selectionWith({});

/**
 * The stored input of work, with its tree. Until November 2026, work stored the selection of its
 * call instead, or null for all contacts. Input that is not understood stays as it is, and the
 * strict reader refuses it.
 */
export function withTree(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('selection' in input)) return input;
  const { selection, ...rest } = input;
  if (selection === null) return { ...rest, audience: null };
  const { data } = ownSelection.safeParse(selection);
  return data ? { ...rest, audience: treeOfSelection(data) } : input;
}

/** The flat filter with the same meaning. Null when a flat filter cannot express the tree. */
function filterOf(tree: Tree, added: AddedFilters): ContactFilter | null {
  const root = groupOf(tree);
  if (root?.kind !== 'all') return null;
  const filter: Record<string, unknown> = {};
  for (const node of root.nodes) {
    const fields = 'condition' in node ? fieldsOf(node, added) : null;
    if (fields === null || Object.keys(fields).some((name) => name in filter)) return null;
    Object.assign(filter, fields);
  }
  return filter as ContactFilter;
}

function fieldsOf({ condition, value }: Leaf, added: AddedFilters): Record<string, unknown> | null {
  const names = namesWith(added).filter(([, one]) => one.condition === condition);
  if (names.length === 0) return null;
  const whole = names.find(([, { end }]) => end === undefined);
  if (whole) return { [whole[0]]: value };
  const given = Object.entries(value as object).filter(([, one]) => one !== undefined);
  const fields = given.map(([key, one]) => [names.find(([, { end }]) => end === key)?.[0], one]);
  // Without one of its ends, the filter would mean more contacts.
  return fields.every(([name]) => name !== undefined) ? Object.fromEntries(fields) : null;
}

/** The selection with the same meaning. Null when a call cannot express the tree. */
export function selectionOf(tree: Tree, added: AddedFilters = {}): ContactSelection | null {
  const root = groupOf(tree);
  const [only] = root?.kind === 'all' && root.nodes.length === 1 ? root.nodes : [];
  if (only && 'condition' in only && only.condition === 'ids') return { ids: only.value as number[] };
  const filter = filterOf(tree, added);
  return filter && { filter };
}

/** What the audit log keeps about who was meant. */
export type AudienceRecord = { named: number } | { filter: ContactFilter } | { audience: string };

/** How many were named, or the flat filter, or else the audience in words. */
export function recordOf(tree: Tree, rules: ConditionRules, added: AddedFilters = {}): AudienceRecord {
  const selection = selectionOf(tree, added);
  if (selection === null) return { audience: treeInWords(tree, rules) };
  return 'ids' in selection ? { named: selection.ids.length } : { filter: selection.filter };
}
