import { sql } from 'kysely';
import { contactStates } from '#features/contacts/rules.ts';
import { contactsWithSuppression, isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import { sampledContacts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ReadRules } from '../rules/words.ts';
import { leftAfter } from './tests-of-rules.ts';

/** What one pass over contacts found. */
export interface Passed {
  /** Contacts that were looked at. */
  tested: number;
  matching: number;
  suppressed: number;
  invalid: number;
  duplicate: number;
  conditions: number[];
  groups: { left: number; conditions: number[] }[];
  /** Some of those that match, at random. */
  ids: number[];
}

/** How to draw a sample: one in so many of those that match. */
export interface Draw {
  seed: number;
  oneIn: number;
}

/** Tests all contacts of the workspace, once each. */
export const passAll = (
  tx: TenantTx,
  workspaceId: number,
  rules: ReadRules,
  tests: readonly Fragment[],
  draw: Draw,
): Promise<Passed> =>
  pass(tx, rules, tests, draw, sql`${contactsWithSuppression} where c.workspace_id = ${workspaceId}`);

/** Tests some 16,000 of them, at even distances. */
export const passSample = (
  tx: TenantTx,
  { workspaceId, all }: { workspaceId: number; all: number },
  rules: ReadRules,
  tests: readonly Fragment[],
  draw: Draw,
): Promise<Passed> =>
  pass(
    tx,
    rules,
    tests,
    draw,
    sql`${sampledContacts(workspaceId, all)} ${suppressionJoins} where c.workspace_id = ${workspaceId}`,
  );

/**
 * One pass for all figures. The offset changes nothing: it keeps the planner from testing a
 * condition again for each figure that depends on it.
 */
async function pass(
  tx: TenantTx,
  rules: ReadRules,
  tests: readonly Fragment[],
  { seed, oneIn }: Draw,
  from: Fragment,
): Promise<Passed> {
  const named = tests.map((_, at) => sql.ref(`s.t${at}`));
  const { conditions, groups, all } = leftAfter(rules, named);
  const counted = (test: Fragment) => sql`count(*) filter (where ${test})`;
  const stored = (state: number) => counted(sql`${all} and not s.out and s.state = ${sql.lit(state)}`);
  const figures = [
    sql`count(*)`,
    ...[
      counted(all),
      counted(sql`${all} and s.out`),
      stored(contactStates.invalid),
      stored(contactStates.copy),
    ],
    ...conditions.map(counted),
    ...groups.flatMap((group) => [counted(group.left), ...group.conditions.map(counted)]),
  ];
  const columns = tests.map((test, at) => sql`, (${test}) is true as ${sql.ref(`t${at}`)}`);
  const { rows } = await sql<{ figures: number[]; ids: number[] | null }>`
    select array[${sql.join(figures)}]::float8[] as figures,
      array_agg(s.id::float8) filter (
        where ${all} and hashint8extended(s.id, ${seed}::bigint) & 1073741823 < 1073741824 / ${oneIn}::bigint
      ) as ids
    from (
      select c.id, c.state, ${isSuppressed} as out${sql.join(columns, sql``)} from ${from} offset 0
    ) s`.execute(tx);
  return told(rules, rows[0]?.figures ?? [], rows[0]?.ids ?? []);
}

function told({ conditions, groups }: ReadRules, figures: readonly number[], ids: number[]): Passed {
  const left = [...figures];
  const next = () => left.shift() ?? 0;
  const some = (count: number) => Array.from({ length: count }, next);
  return {
    ...{ tested: next(), matching: next(), suppressed: next(), invalid: next(), duplicate: next() },
    conditions: some(conditions.length),
    groups: groups.map((group) => ({ left: next(), conditions: some(group.conditions.length) })),
    ids,
  };
}

/** Ends each statement of this transaction after so long. */
export const limitStatements = (tx: TenantTx, milliseconds: number) =>
  sql.raw(`set local statement_timeout = ${Math.floor(milliseconds)}`).execute(tx);
