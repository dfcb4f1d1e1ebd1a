import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Log } from './logging.ts';

/** Nobody waits longer than this for the end of their work. The renewal goes on meanwhile. */
const longestWaitMs = 5_000;

/**
 * Renews what the planner knows of tables that work has just changed much, before its end is told.
 * Whoever goes on with these contacts at once would otherwise wait for minutes, because the planner
 * takes a workspace that it does not know for one row. Never rejects.
 */
export async function renewStatistics({ db, log }: { db: Database; log: Log }): Promise<void> {
  const renewal = renew(db).catch((error: unknown) => {
    log.warn({ err: error }, 'statistics not renewed');
  });
  await Promise.race([renewal, sleep(longestWaitMs, undefined, { ref: false })]);
}

async function renew({ system }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select outdated_statistics() as name`.execute(system);
  for (const { name } of rows) await sql`select renew_statistics(${name})`.execute(system);
}

/**
 * An expression, for a statement of work at the end of one of its transactions. PostgreSQL then
 * counts at the commit what the connection has changed, and not ten seconds later.
 */
export const changesCountAtOnce = sql`pg_stat_force_next_flush()`;
