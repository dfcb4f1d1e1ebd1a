import { sqlState, type TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { limitWaiting } from './queries.ts';

/**
 * How long a change waits for one that holds the same entry: the import of a list holds its entries until it is done, and
 * whoever waits for it here holds the rollup lock that it needs at the end. Less than PostgreSQL's deadlock_timeout (1 s), after
 * which it might end the import, rather than the change, to break the circle.
 */
const patienceMs = 800;

/** An entry is held by the import of a list. */
export class ListBusy extends AppError {}

/** Runs what may meet an entry that a list import is adding; says so rather than wait for it. */
export async function patiently<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await limitWaiting(tx, patienceMs);
  try {
    const result = await work();
    await limitWaiting(tx, 0);
    return result;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error; // lock_not_available
    throw new ListBusy(
      'conflict',
      'A suppression list is being changed just now, and this entry with it. Try again when that has finished.',
      { cause: error },
    );
  }
}
