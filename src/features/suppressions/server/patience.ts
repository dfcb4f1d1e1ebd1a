import type { TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';

/**
 * How long a change waits in all: for whoever adds contacts or changes the list, and for one that
 * holds the same entry. The import of a list holds its entries until it is done, and who waits for
 * one here holds the rollup lock that it needs at the end. Less than PostgreSQL's deadlock_timeout
 * (1 s), after which it might end the import, rather than the change, to break the circle. Nobody
 * who unsubscribes waits longer than a second.
 */
const patienceMs = 800;

/**
 * Does what may have to wait for others that change the list or the contacts; says so rather than
 * wait for long.
 */
export const patiently = <T>(tx: TenantTx, work: () => Promise<T>): Promise<T> =>
  waitAtMost(
    tx,
    patienceMs,
    'A suppression list is being changed just now, and this entry with it. Try again when that has finished.',
    work,
  );
