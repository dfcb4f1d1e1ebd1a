import { carryWithImport } from '#features/suppressions/server/thread.ts';
import { carryOpenWishes, carryPauses } from '#features/tracking/server/thread.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { mendedPairs } from './mended-queries.ts';

/**
 * Whoever has left, takes a break or waits to leave at an address that an import has mended, does
 * so at the address it was mended to. `rows` as for `recordMended`, once they are counted. The
 * caller holds the suppression list.
 */
export async function carryMended(
  tx: TenantTx,
  workspaceId: number,
  { rows, correctedBy }: { rows: string; correctedBy: string | null },
): Promise<void> {
  const pairs = mendedPairs(rows);
  await carryWithImport(tx, workspaceId, pairs, correctedBy);
  await carryPauses(tx, workspaceId, pairs);
  await carryOpenWishes(tx, workspaceId, pairs);
}
