import type { TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';

/**
 * How long a change waits in total: for whoever adds contacts or changes the list, and for a holder
 * of the same entry. A list import holds its entries until it is done; a change that waits for one
 * holds the rollup lock, which the import needs at its end. This is less than PostgreSQL's
 * deadlock_timeout (1 s), because PostgreSQL might break the deadlock by ending the import, not the
 * change. Nobody who unsubscribes waits longer than a second.
 */
const patienceMs = 800;

/**
 * Runs work that may have to wait for others who change the list or the contacts. Fails with a
 * message rather than wait long.
 */
export const patiently = <T>(tx: TenantTx, work: () => Promise<T>): Promise<T> =>
  waitAtMost(
    tx,
    patienceMs,
    'A suppression list is being changed just now, and this entry with it. Try again when that has finished.',
    work,
  );
