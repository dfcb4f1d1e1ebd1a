import type { Node, Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SegmentCondition, SegmentRules } from '../contract.ts';
import type { FieldRule, Option } from '../rules/field.ts';
import { combined, type Meaning, treeOf } from '../rules/meaning.ts';
import { operatorRules } from '../rules/operators.ts';
import { type ReadCondition, readCondition } from '../rules/read-condition.ts';
import type { ReadRules } from '../rules/words.ts';
import type { Fields, SegmentField } from './fields.ts';

/** Where rules are read: the fields there are, and the day it is in London. */
export interface Reading {
  fields: Fields;
  audience: Audience;
  today: string;
}

/**
 * Reads rules with what the workspace has now. Throws `invalid_input` with a sentence for what is
 * not known, cannot be compared so, or is not there any more.
 */
export async function readRules(
  { fields, today }: Reading,
  tx: TenantTx,
  workspaceId: number,
  rules: SegmentRules,
): Promise<ReadRules> {
  const each = async (conditions: readonly SegmentCondition[] = []): Promise<ReadCondition[]> => {
    const read: ReadCondition[] = [];
    for (const condition of conditions) {
      const field = fields.find(condition.field);
      const options = await optionsOf(field, tx, workspaceId, condition);
      read.push(readCondition(field, condition, { today, options }));
    }
    return read;
  };
  const groups: ReadRules['groups'] = [];
  for (const { match = 'all', conditions } of rules.groups ?? [])
    groups.push({ match, conditions: await each(conditions) });
  const conditions = await each(rules.conditions);
  const read: ReadRules = { match: rules.match ?? 'all', conditions, groups };
  refuseTooMuch(conditionsIn(read));
  return read;
}

/** Refuses what would come to a statement of many megabytes. */
function refuseTooMuch(conditions: readonly ReadCondition[]): void {
  const asked = new Map<FieldRule, number>();
  for (const { field, chosen } of conditions) {
    const { label, mostAsked = Number.POSITIVE_INFINITY } = field;
    const count = (asked.get(field) ?? 0) + chosen.length;
    asked.set(field, count);
    if (count > mostAsked)
      throw new AppError(
        'invalid_input',
        `${label}: it is asked too often. Use one condition for it, or two.`,
      );
  }
}

async function optionsOf(
  field: SegmentField,
  tx: TenantTx,
  workspaceId: number,
  { operator, value = '' }: SegmentCondition,
): Promise<readonly Option[]> {
  if (field.options) return field.options;
  const named = operatorRules[operator].asks === 'equals' ? [value].flat() : null;
  return (await (field.find?.(tx, workspaceId, named) ?? field.offered?.(tx, workspaceId))) ?? [];
}

export const meaningOfGroup = ({ match, conditions }: ReadRules['groups'][number]): Meaning =>
  combined[match](conditions.map(({ meaning }) => meaning));

/** Whom rules mean. Without any condition, everybody. */
export function meaningOf({ match, conditions, groups }: ReadRules): Meaning {
  const parts = [...conditions.map(({ meaning }) => meaning), ...groups.map(meaningOfGroup)];
  return parts.length === 0 ? true : combined[match](parts);
}

/** The tree of rules that were read, as strictly checked as a stored one. */
export function treeOfRules(audience: Audience, rules: ReadRules): Tree {
  const { data, error } = audience.stored.safeParse(treeOf(meaningOf(rules)));
  if (data) return data;
  throw new AppError(
    'invalid_input',
    error.issues[0]?.message ?? 'These rules come to more than can be asked at once. Use fewer values.',
  );
}

export const conditionsIn = ({ conditions, groups }: ReadRules): ReadCondition[] => [
  ...conditions,
  ...groups.flatMap((one) => one.conditions),
];

export const isNode = (meaning: Meaning): meaning is Node => typeof meaning !== 'boolean';
