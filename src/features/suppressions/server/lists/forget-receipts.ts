import { readSettings } from '#features/settings/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { clearReceipts, selectOldReceipts } from './batch-queries.ts';

/**
 * Removes the receipts of lists after the workspace's retention time: they hold lines as somebody
 * wrote them. First the files: the records lead to what a crash leaves of them.
 */
export async function forgetReceipts(
  { db, files }: { db: Database; files: FileStore },
  workspaceId: number,
): Promise<void> {
  const old = await db.asTenant(workspaceId, async (tx) => {
    const { retention } = await readSettings(tx, workspaceId);
    return selectOldReceipts(tx, workspaceId, retention.receiptDays);
  });
  if (old.length === 0) return;
  for (const { key } of old) await files.remove(key);
  const ids = old.map(({ id }) => id);
  await db.asTenant(workspaceId, (tx) => clearReceipts(tx, workspaceId, ids));
}
