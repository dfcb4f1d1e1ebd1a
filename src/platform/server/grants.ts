import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const file = fileURLToPath(new URL('../../../db/grants.sql', import.meta.url));

/** Any number; it only has to be the same in every process that starts. */
const advisoryLockKey = 7_239_001_847;

/**
 * Gives the role that the product works as its rights, and no others: `db/grants.sql`. As the tables' owner. It may be done
 * again at any time, and by several processes at once.
 */
export async function applyGrants(owner: pg.ClientBase): Promise<void> {
  await owner.query('begin');
  try {
    await owner.query(`select pg_advisory_xact_lock(${advisoryLockKey})`);
    await owner.query(readFileSync(file, 'utf8'));
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback').catch(() => undefined); // the connection itself may be what failed
    throw error;
  }
}
