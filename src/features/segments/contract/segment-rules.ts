import { z } from 'zod';
import { operators } from '../rules/operators.ts';

// Apart from the calls, because lists need it on every page.

/** Conditions of a segment, in all its groups. */
export const mostConditions = 100;
/** Values of one condition. */
export const mostValues = 50;
export const longestSegmentValue = 1000;

export const matches = ['all', 'any', 'none'] as const;
export type Match = (typeof matches)[number];

const value = z
  .string()
  .max(longestSegmentValue, `A value has at most ${longestSegmentValue} characters.`)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), {
    error: 'This text has a broken character.',
  });

const condition = z
  .strictObject({
    field: z.string().min(1).max(120).describe('As `GET /api/segments/fields` names it.'),
    operator: z.enum(operators, {
      error: ({ input }) =>
        `“${String(input).slice(0, 80)}” is no operator. Use one of: ${operators.join(', ')}.`,
    }),
    value: z
      .union([value, z.array(value).min(1).max(mostValues, `A condition has at most ${mostValues} values.`)])
      .optional()
      .describe('One value, or some of which one is enough. `is_empty` and `is_not_empty` take none.'),
  })
  .meta({ id: 'SegmentCondition' });
export type SegmentCondition = z.output<typeof condition>;

const conditions = z
  .array(condition)
  .max(mostConditions, `A segment has at most ${mostConditions} conditions.`);
const match = z.enum(matches).optional().describe('Absent: all.');
const group = z.strictObject({ match, conditions: conditions.min(1, 'A group has at least one condition.') });

/**
 * Whom a segment means: `{conditions}` as the specification has it, of which all are true, or with
 * groups of conditions beside them.
 */
export const segmentRules = z
  .strictObject({
    match,
    conditions: conditions.optional().describe('Absent or empty, and no groups: every contact.'),
    groups: z.array(group).max(mostConditions).optional().describe('Each counts as one condition.'),
  })
  .meta({ id: 'SegmentRules' })
  .refine((rules) => conditionsOf(rules).length <= mostConditions, {
    error: `A segment has at most ${mostConditions} conditions, those in groups included.`,
  });
export type SegmentRules = z.output<typeof segmentRules>;

/** All conditions: those beside the groups first. */
export const conditionsOf = ({
  conditions = [],
  groups = [],
}: {
  conditions?: SegmentCondition[] | undefined;
  groups?: { conditions: SegmentCondition[] }[] | undefined;
}): SegmentCondition[] => [...conditions, ...groups.flatMap((one) => one.conditions)];
