import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';

/** Months that are there before anything happens in them. Two are spare, should the job not run. */
const madeAhead = 3;

/** How many months single events are kept. Their figures stay. */
export const keptMonths = 25;

/**
 * Makes the parts of the events' table for the months to come, and drops those that are older than
 * events are kept. What has no month meanwhile is in the rest of the table, which a new month takes
 * over: an event is never refused.
 */
export async function keepEventMonths(system: SystemDb): Promise<{ made: number; dropped: number }> {
  // Two transactions: each holds the table for a moment only.
  const { rows: made } = await sql<{ count: number }>`
    select make_event_months(now(), ${madeAhead}) as count`.execute(system);
  const { rows: dropped } = await sql<{ count: number }>`
    select drop_event_months(${keptMonths}) as count`.execute(system);
  return { made: made[0]?.count ?? 0, dropped: dropped[0]?.count ?? 0 };
}
