import type pg from 'pg';

/**
 * Locks that starting processes hold against each other, each with its own number. The connection
 * that holds one belongs to the tables' owner and takes no other lock.
 */
const numbers = { migrations: 7_239_001_845, jobs: 7_239_001_846, grants: 7_239_001_847 };

/** Migrating a large database takes minutes, and the other processes wait for it. */
const patience = '30min';

/** Takes the lock until the connection ends. */
export async function holdStart(owner: pg.ClientBase, what: keyof typeof numbers): Promise<void> {
  await owner.query(`set lock_timeout = '${patience}'`);
  await owner.query(`select pg_advisory_lock(${numbers[what]})`);
  await owner.query('reset lock_timeout');
}

/** From here to the end of the transaction, a statement waits so long for what others hold. */
export const waitAtMost = (owner: pg.ClientBase, ms: number): Promise<unknown> =>
  owner.query(`set local lock_timeout = ${ms}`);
