import { sql } from 'kysely';
import { type AnyCondition, condition, domainCondition } from '#features/audience/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import {
  addedDayRule,
  attributeRule,
  type ComparedText,
  domainTextRule,
  lastActivityRule,
  textRule,
} from '../rules/conditions.ts';
import { testSql } from './test-sql.ts';

const columns: Record<ComparedText, Fragment> = {
  name: sql`c.name`,
  firstName: sql`c.first_name`,
  lastName: sql`c.last_name`,
  source: sql`c.source`,
};

/** The day in London of a moment, as text. */
export const dayOf = (moment: Fragment): Fragment =>
  sql`to_char(${moment} at time zone 'Europe/London', 'YYYY-MM-DD')`;

/** When a contact `c` last did something, as a feature knows it. Null when it does not. */
export type LastActivity = (workspaceId: number) => Fragment;

const newestOf = (sources: readonly LastActivity[], workspaceId: number): Fragment =>
  sources.length === 0
    ? sql`null::timestamptz`
    : sql`greatest(${sql.join(sources.map((source) => source(workspaceId)))})`;

/** The day of a contact's last activity, as text. */
export const lastActivityDay = (sources: readonly LastActivity[], workspaceId: number): Fragment =>
  dayOf(newestOf(sources, workspaceId));

/** What segments ask. `sources` are known once all features are made. */
export const segmentConditions = (sources: () => readonly LastActivity[]): AnyCondition[] => [
  condition(textRule, ({ field, test }) => testSql(test, { text: columns[field] })),
  domainCondition(domainTextRule, (test, domain) => testSql(test, { text: domain, isPlain: true })),
  condition(addedDayRule, (test) => {
    const day = dayOf(sql`c.created_at`);
    return testSql(test, { text: day, day });
  }),
  condition(attributeRule, ({ name, test }) =>
    testSql(test, { text: sql`(c.attributes ->> ${name}::text)` }),
  ),
  condition(lastActivityRule, (test, { workspaceId }) => {
    const day = lastActivityDay(sources(), workspaceId);
    return testSql(test, { text: day, day });
  }),
];
