import { carryWithImport, hasToCarry } from '#features/suppressions/server/thread.ts';
import { carryOpenWishes, carryPauses } from '#features/tracking/server/thread.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { mendedPairs } from './mended-queries.ts';

/** Whether somebody is suppressed at an address that an import has mended. No bounce counts. */
export const anyMendedSuppressed = (tx: TenantTx, workspaceId: number, rows: string): Promise<boolean> =>
  hasToCarry(tx, workspaceId, mendedPairs(rows));

/**
 * Whoever is suppressed at an address that an import has mended is so at the address it was mended
 * to. `rows` as for `recordMended`, once they are counted. The caller holds the suppression list.
 */
export const suppressMended = (
  tx: TenantTx,
  workspaceId: number,
  { rows, correctedBy }: { rows: string; correctedBy: string | null },
): Promise<void> => carryWithImport(tx, workspaceId, mendedPairs(rows), correctedBy);

/** The same for whoever takes a break or waits to leave. It needs no lock. */
export async function keepMendedAway(tx: TenantTx, workspaceId: number, rows: string): Promise<void> {
  const pairs = mendedPairs(rows);
  await carryPauses(tx, workspaceId, pairs);
  await carryOpenWishes(tx, workspaceId, pairs);
}
