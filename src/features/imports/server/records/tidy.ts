import type { Retention } from '#features/settings/contract.ts';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { expireChecked, expireReceipts } from './record-queries.ts';
import { removeImportFiles } from './remove-file.ts';

/**
 * Deletes files that were only tried, and receipts, after their retention time. Returns how many.
 */
export async function tidy(
  { db, files }: { db: Database; files: FileStore },
  workspaceId: number,
  keep: Pick<Retention, 'uploadDays' | 'receiptDays'>,
): Promise<number> {
  const keys = await db.asTenant(workspaceId, async (tx) => [
    ...(await expireChecked(tx, workspaceId, keep.uploadDays)),
    ...(await expireReceipts(tx, workspaceId, keep.receiptDays)),
  ]);
  const named = keys.filter((key) => key !== null);
  await removeImportFiles(files, named);
  return named.length;
}
