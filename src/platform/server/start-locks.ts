import type pg from 'pg';
import { sqlState } from './database.ts';

/**
 * Locks that starting processes hold against each other, each with its own number. The connection
 * that holds one belongs to the tables' owner and takes no other lock.
 */
const numbers = { migrations: 7_239_001_845, jobs: 7_239_001_846, grants: 7_239_001_847 };

/** Migrating a large database takes minutes, and the other processes wait for it. */
export const patienceMs = 30 * 60_000;

/** Takes the lock until the connection ends. Throws when somebody holds it longer than `ms`. */
export async function holdStart(
  owner: pg.ClientBase,
  what: keyof typeof numbers,
  ms = patienceMs,
): Promise<void> {
  await owner.query(`set lock_timeout = ${ms}`);
  await owner.query(`select pg_advisory_lock(${numbers[what]})`).catch((cause) => {
    if (sqlState(cause) !== '55P03') throw cause;
    throw new Error(
      'Another process has been bringing the database up to date for half an hour. See what its log says, and start this one again once it has ended.',
      { cause },
    );
  });
  await owner.query('reset lock_timeout');
}

/** From here to the end of the transaction, a statement waits so long for what others hold. */
export const waitAtMost = (owner: pg.ClientBase, ms: number): Promise<unknown> =>
  owner.query(`set local lock_timeout = ${ms}`);
