import { stat } from 'node:fs/promises';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { selectNamed } from './record-queries.ts';

/** A file younger than this may belong to an upload whose record does not name it yet. */
const youngMs = 3_600_000;
/** Files whose records are looked up in one query. */
const askedAtOnce = 1_000;

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
  let removed = 0;
  for (let at = 0; at < found.length; at += askedAtOnce) {
    const some = found.slice(at, at + askedAtOnce);
    const names = [...new Set(some.flatMap((key) => [key, nameOf(key)]))];
    const named = new Set(await db.asTenant(workspaceId, (tx) => selectNamed(tx, workspaceId, names)));
    removed += await removeOld(
      files,
      some.filter((key) => !named.has(key) && !named.has(nameOf(key))),
    );
  }
  return removed;
}

/** The rows of a workbook's sheet stand beside it, under its name and more. */
const nameOf = (key: string): string => key.replace(/(\.csv)\..*$/, '$1');

async function removeOld(files: FileStore, keys: readonly string[]): Promise<number> {
  let removed = 0;
  for (const key of keys) {
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
