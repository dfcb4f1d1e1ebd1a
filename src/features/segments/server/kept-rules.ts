import type { TenantTx } from '#platform/server/database.ts';
import { mostValues, type SegmentCondition, type SegmentRules } from '../contract.ts';
import { optionsFor } from '../rules/field.ts';
import { equalTo, type ReadCondition } from '../rules/read-condition.ts';
import { type Reading, readRules } from './read-rules.ts';

/**
 * Rules as they are stored: what a field names by value stands there by value, whatever it is
 * called later. Throws `invalid_input` for rules that cannot be read.
 */
export async function keptRules(
  reading: Reading,
  tx: TenantTx,
  workspaceId: number,
  { conditions, groups, ...rules }: SegmentRules,
): Promise<SegmentRules> {
  const read = await readRules(reading, tx, workspaceId, { ...rules, conditions, groups });
  const kept = (given: readonly SegmentCondition[], understood: readonly ReadCondition[]) =>
    given.map((condition, at) => byValue(condition, understood[at] as ReadCondition));
  return {
    ...rules,
    ...(conditions && { conditions: kept(conditions, read.conditions) }),
    ...(groups && {
      groups: groups.map((group, at) => ({
        ...group,
        conditions: kept(group.conditions, read.groups[at]?.conditions ?? []),
      })),
    }),
  };
}

function byValue(
  condition: SegmentCondition,
  { field, test, typed, chosen }: ReadCondition,
): SegmentCondition {
  if (!field.keepsValues || test.is !== 'equals') return condition;
  const values = new Set(typed.flatMap((one) => optionsFor(equalTo(one), chosen).map(({ value }) => value)));
  // Several lists may share a name, and a condition takes so many values and no more.
  if (values.size === 0 || values.size > mostValues) return condition;
  const [first = ''] = values;
  return { ...condition, value: values.size === 1 && !Array.isArray(condition.value) ? first : [...values] };
}
