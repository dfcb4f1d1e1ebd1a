import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { CheckedCondition } from '#platform/server/feature.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import type { RankedSort } from '../rules/plan.ts';
import type { ConditionRule, ConditionRules, Leaf, Tree } from '../rules/tree.ts';

/*
 * The table of conditions: what can be asked of contacts, with the words, the SQL and the bound of
 * each. Features contribute conditions and the composition gathers them. This feature knows their
 * shape, and knows only its own by name.
 */

/** What a condition's SQL may refer to besides the contact `c`. */
export interface Scope {
  workspaceId: number;
  /** True for a contact that is suppressed. */
  isSuppressed: Fragment;
}

/** A condition on the contact. */
interface Condition<Value = unknown> extends ConditionRule<Value> {
  /**
   * True for the contacts `c` that fulfil it. Null counts as false. Its parameters are text,
   * numbers or booleans, because an export writes them into its statement.
   */
  sql(value: Value, scope: Scope): Fragment;
  /**
   * For a condition on the domain alone: true for such a domain. `sql` is this for the contact's.
   */
  ofDomain?(value: Value, domain: Fragment): Fragment;
}

/** A condition whose contacts are in the lists of an index, which then leads to them. */
interface ListedCondition<Value = unknown> extends ConditionRule<Value> {
  bound: 'lists';
  index: ContactIndex;
  /**
   * What it means for contacts that are in no list of the index. Without it, they do not fulfil it.
   */
  unlisted?: Unlisted<Value>;
  /**
   * What some of its values stand for, such as a list whose contacts follow from rules. Null for
   * those that stand for themselves.
   */
  expand?(tx: TenantTx, workspaceId: number, value: Value): Promise<Tree | null>;
}

/**
 * A condition that stands for other conditions, such as those that a list keeps. They are asked for
 * each time, so that it means what they say now.
 */
interface ExpandedCondition<Value = unknown> extends ConditionRule<Value> {
  /**
   * The conditions it stands for. They may be such again. Throws a sentence when they are not there
   * any more.
   */
  expand(tx: TenantTx, workspaceId: number, value: Value): Promise<Tree>;
}

/** A condition for contacts that an index knows nothing about. */
export interface Unlisted<Value = unknown> {
  sql(value: Value): Fragment;
  /** True for the domains of all contacts that fulfil it. Null when most domains may have some. */
  ofDomain(value: Value, domain: Fragment): Fragment | null;
  /** The same, however many domains there are. A walk passes over the others. */
  atDomain(value: Value, domain: Fragment): Fragment;
}

/**
 * Lists of contacts by id that a feature keeps in a table. Each contact is in at most one list,
 * unless they overlap. Several conditions on the table combine into lists again: a verdict and a
 * reason together give the verdict profiles that have both.
 */
export interface ContactIndex<Known = unknown> {
  /**
   * The table, with an index on (workspace_id, `list`, contact_id) and one on (workspace_id,
   * contact_id).
   */
  table: string;
  /** Its column with the number of the list. */
  list: string;
  /**
   * A contact may be in several lists. Then only one condition leads to contacts, and each of the
   * others is tested.
   */
  overlaps?: true;
  /**
   * What must be known about the lists to choose among them, or among those of these conditions.
   */
  load(tx: TenantTx, workspaceId: number, leaves?: readonly Leaf[]): Promise<Known>;
  /**
   * The lists of the contacts for which all of these conditions are true. If lists overlap, one
   * condition is asked at a time. May throw an `AppError`.
   */
  choose(leaves: readonly Leaf[], known: Known): ContactList[];
  /** All its lists in ascending order, for sorting by what they say. */
  inOrder?(sort: RankedSort, known: Known): ContactList[];
  /** How many contacts are in any list. */
  size(known: Known): number;
}

export interface ContactList {
  id: number;
  contacts: number;
}

export type AnyCondition = (Condition | ListedCondition | ExpandedCondition) & CheckedCondition;

/** A rule with its SQL, checked against the type of its value. */
export const condition = <Value>(
  rule: ConditionRule<Value>,
  sql: (value: Value, scope: Scope) => Fragment,
): AnyCondition => ({ ...rule, sql }) as unknown as AnyCondition;

/** A rule on the domain alone. */
export const domainCondition = <Value>(
  rule: ConditionRule<Value> & { bound: 'domains' },
  ofDomain: (value: Value, domain: Fragment) => Fragment,
): AnyCondition =>
  ({ ...rule, ofDomain, sql: (value: Value) => ofDomain(value, sql`c.domain`) }) as unknown as AnyCondition;

/** A rule whose contacts are in the lists of an index. */
export const listedCondition = <Value>(
  rule: ConditionRule<Value> & { bound: 'lists' },
  index: ContactIndex,
  { unlisted, expand }: Pick<ListedCondition<Value>, 'unlisted' | 'expand'> = {},
): AnyCondition =>
  ({ ...rule, index, ...(unlisted && { unlisted }), ...(expand && { expand }) }) as unknown as AnyCondition;

/** A rule that stands for a tree of other conditions. */
export const expandedCondition = <Value>(
  rule: ConditionRule<Value> & { bound: 'nothing' },
  expand: ExpandedCondition<Value>['expand'],
): AnyCondition => ({ ...rule, expand }) as unknown as AnyCondition;

/** All conditions of the product by key. */
export interface Conditions extends ConditionRules {
  get(key: string): AnyCondition | undefined;
  values(): MapIterator<AnyCondition>;
}

/**
 * Builds the table. Throws a `RangeError` when two features contribute the same key, and when a
 * filter stands for a condition that none contributes.
 */
export function gatherConditions(
  contributed: readonly AnyCondition[],
  filters: AddedFilters = {},
): Conditions {
  const conditions = new Map<string, AnyCondition>();
  for (const condition of contributed) {
    if (conditions.has(condition.key))
      throw new RangeError(`the condition ${condition.key} is contributed twice`);
    conditions.set(condition.key, condition);
  }
  for (const [name, { condition }] of Object.entries(filters)) {
    if (!conditions.has(condition))
      throw new RangeError(`The filter ${name} stands for ${condition}, which no feature contributes.`);
  }
  return conditions;
}

/** The index whose lists have orders. */
export function orderedIndex(conditions: Conditions): ContactIndex | undefined {
  for (const one of conditions.values()) if ('index' in one && one.index.inOrder) return one.index;
  return undefined;
}

/** The index whose lists hold a condition. */
export function indexOf(conditions: Conditions, key: string): ContactIndex | undefined {
  const condition = conditions.get(key);
  return condition && 'index' in condition ? condition.index : undefined;
}

/** What a condition means for contacts that are in no list of its index. */
export function unlistedOf(conditions: Conditions, key: string): Unlisted | undefined {
  const condition = conditions.get(key);
  return condition && 'index' in condition ? condition.unlisted : undefined;
}
