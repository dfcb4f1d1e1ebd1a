import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { holdStart } from './start-locks.ts';

const file = fileURLToPath(new URL('../../../db/grants.sql', import.meta.url));

/**
 * Gives the role that the product works as exactly the rights in `db/grants.sql`. Runs as the
 * tables' owner on a short-lived connection. It is safe to repeat, also from several processes at
 * once.
 */
export async function applyGrants(owner: pg.ClientBase): Promise<void> {
  await holdStart(owner, 'grants');
  await owner.query('begin');
  try {
    await owner.query(readFileSync(file, 'utf8'));
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback').catch(() => undefined); // the connection itself may be what failed
    throw error;
  }
}
