import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, SystemDb } from './database.ts';
import type { Log } from './logging.ts';

interface Parts {
  db: Database;
  log: Log;
}

/** Nobody waits longer than this for the end of their work. The renewal goes on meanwhile. */
const longestWaitMs = 5_000;

/**
 * Renews what the planner knows of tables that work has just changed much, before whoever waits
 * for it hears of its end. Whoever goes on with these contacts at once would otherwise wait for
 * minutes, because the planner takes a workspace that it does not know for one row. A large table
 * that was renewed a moment ago is left for the next minute's job. Never rejects.
 */
export async function renewStatistics(parts: Parts): Promise<void> {
  await Promise.race([inTurn(parts), sleep(longestWaitMs, undefined, { ref: false })]);
}

interface Turns {
  running: Promise<void> | null;
  /** Begins after the one that runs, for all who have come meanwhile. */
  next: Promise<void> | null;
}

const turnsOf = new WeakMap<SystemDb, Turns>();

/** One renewal at a time. It has to begin after the work that it is for. */
async function inTurn(parts: Parts): Promise<void> {
  const turns = turnsOf.get(parts.db.system) ?? { running: null, next: null };
  turnsOf.set(parts.db.system, turns);
  turns.next ??= (async () => {
    await turns.running;
    turns.next = null;
    turns.running = renewAll(parts);
    await turns.running;
  })();
  await turns.next;
}

async function renewAll({ db: { system }, log }: Parts): Promise<void> {
  const failed = (error: unknown, table?: string) =>
    log.warn({ err: error, table }, 'statistics not renewed');
  try {
    const { rows } = await sql<{ name: string }>`select outdated_statistics() as name`.execute(system);
    // A table may be gone meanwhile. The others are renewed all the same.
    for (const { name } of rows)
      await sql`select renew_statistics(${name})`.execute(system).catch((error) => failed(error, name));
  } catch (error) {
    failed(error);
  }
}

/**
 * An expression, for a statement of work at the end of one of its transactions. PostgreSQL then
 * counts at the commit what the connection has changed, and not ten seconds later.
 */
export const changesCountAtOnce = sql`pg_stat_force_next_flush()`;
