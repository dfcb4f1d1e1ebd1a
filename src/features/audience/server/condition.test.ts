import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { FeatureParts } from '#platform/server/feature.ts';
import type { ConditionRule } from '../rules/tree.ts';
import { condition, gatherConditions } from './condition.ts';

const rule: ConditionRule<number> = {
  key: 'bones',
  schema: z.number(),
  bound: 'nothing',
  words: (bones) => `it has ${bones} bones`,
};
const bones = condition(rule, (value, { workspaceId }) => sql`${value} < ${workspaceId}`);

it('is checked where it is declared', () => {
  // @ts-expect-error: its value is a number
  condition(rule, (value: string) => sql`${value}`);
  // @ts-expect-error: nobody checked it
  const parts: FeatureParts = { conditions: [{ ...rule, sql: () => sql`true` }] };
  expect(parts.conditions).toHaveLength(1);
});

it('is contributed once, and each filter stands for one', () => {
  expect([...gatherConditions([bones]).keys()]).toEqual(['bones']);
  expect(() => gatherConditions([bones, bones])).toThrow('bones is contributed twice');
  const filters = { hasTail: { schema: z.string(), condition: 'tail' } };
  expect(() => gatherConditions([bones], filters)).toThrow('hasTail stands for tail');
});
