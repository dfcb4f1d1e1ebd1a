import { stat } from 'node:fs/promises';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { fileKeys } from './record-queries.ts';

/** A file younger than this may belong to an upload whose record does not name it yet. */
const youngMs = 3_600_000;

/** Removes import files of a workspace that no record names. Returns how many. */
export async function removeOrphans(
  { db, files }: { db: Database; files: FileStore },
  workspaceId: number,
): Promise<number> {
  // List the files before the records, to ignore files added meanwhile.
  const found = [
    ...(await files.list(`imports/${workspaceId}`)),
    ...(await files.list(`receipts/${workspaceId}`)),
  ];
  const named = new Set(await db.asTenant(workspaceId, (tx) => fileKeys(tx, workspaceId)));
  let removed = 0;
  for (const key of found) {
    // The rows of a workbook's sheet stand beside it, under its name and more.
    if (named.has(key) || named.has(key.replace(/(\.csv)\..*$/, '$1'))) continue;
    // An import that ends meanwhile removes its file by itself.
    const file = await stat(await files.pathFor(key)).catch(nullWhereMissing);
    if (!file || Date.now() - file.mtimeMs < youngMs) continue;
    await files.remove(key);
    removed++;
  }
  return removed;
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
