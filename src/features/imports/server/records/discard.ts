import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { AppError } from '#platform/shared/errors.ts';
import { needImport } from './get-import.ts';
import { deleteChecked } from './record-queries.ts';
import { removeImportFile } from './remove-file.ts';

/** Deletes a file that was only tried. */
export async function discard(
  { db, files }: { db: Database; files: FileStore },
  workspaceId: number,
  importId: number,
): Promise<void> {
  const row = await needImport({ db }, workspaceId, importId);
  if (row.status !== 'checked')
    throw new AppError('conflict', 'Only a file that was not imported can be discarded.');
  const key = await db.asTenant(workspaceId, (tx) => deleteChecked(tx, workspaceId, importId));
  if (key) await removeImportFile(files, key);
}
