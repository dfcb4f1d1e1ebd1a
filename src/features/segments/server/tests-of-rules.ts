import { sql } from 'kysely';
import type { Audience } from '#features/audience/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Match } from '../contract.ts';
import type { ReadRules } from '../rules/words.ts';
import { conditionsIn, isNode } from './read-rules.ts';

/**
 * Each condition of the rules as a test of the contact `c`, in their order, for a query that reads
 * `contactsWithSuppression`.
 */
export async function testsOfRules(
  audience: Audience,
  tx: TenantTx,
  workspaceId: number,
  rules: ReadRules,
  isFew: boolean,
): Promise<Fragment[]> {
  const meanings = conditionsIn(rules).map(({ meaning }) => meaning);
  const tests = await audience.tests(tx, workspaceId, meanings.filter(isNode), { isFew });
  return meanings.map((meaning) =>
    isNode(meaning) ? (tests.shift() as Fragment) : meaning ? sql`true` : sql`false`,
  );
}

const yes = sql`true`;
const both = (one: Fragment, other: Fragment): Fragment => (one === yes ? other : sql`(${one} and ${other})`);
const not = (one: Fragment): Fragment => sql`(not ${one})`;

/** Those for whom all, any or none are true. The tests are never null. */
export function joinedTests(match: Match, tests: readonly Fragment[]): Fragment {
  if (tests.length === 0) return yes;
  if (match === 'all') return sql`(${sql.join(tests, sql` and `)})`;
  const any = sql`(${sql.join(tests, sql` or `)})`;
  return match === 'any' ? any : not(any);
}

/** Who is left after each condition and group, and after all of them. */
export interface LeftTests {
  conditions: Fragment[];
  groups: { left: Fragment; conditions: Fragment[] }[];
  all: Fragment;
}

/**
 * Who is left after each step. Where all have to be true, each step narrows the one before; where
 * one is enough, each stands alone among those that were left before the group.
 */
export function leftAfter(rules: ReadRules, tests: readonly Fragment[]): LeftTests {
  const waiting = [...tests];
  const take = (count: number) => waiting.splice(0, count);
  const own = take(rules.conditions.length);
  const inGroups = rules.groups.map(({ conditions }) => take(conditions.length));
  const whole = rules.groups.map(({ match }, at) => joinedTests(match, inGroups[at] as Fragment[]));
  const steps = narrowed(rules.match, yes, [...own, ...whole]);
  const groups = rules.groups.map(({ match }, at) => {
    const before = rules.match === 'any' ? yes : (steps[own.length + at - 1] ?? yes);
    return {
      left: steps[own.length + at] as Fragment,
      conditions: narrowed(match, before, inGroups[at] as Fragment[]),
    };
  });
  return {
    conditions: steps.slice(0, own.length),
    groups,
    all: joinedTests(rules.match, [...own, ...whole]),
  };
}

function narrowed(match: Match, before: Fragment, tests: readonly Fragment[]): Fragment[] {
  if (match === 'any') return tests.map((test) => both(before, test));
  let left = before;
  return tests.map((test) => {
    left = both(left, match === 'all' ? test : not(test));
    return left;
  });
}
