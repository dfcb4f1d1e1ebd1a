import { stat } from 'node:fs/promises';
import { takeLock } from '#platform/server/locks.ts';
import { deletedDays } from '../rules/limits.ts';
import type { ImagesContext } from './context.ts';
import { folderOf, keyOf } from './image-files.ts';
import { imagesLock } from './locks.ts';
import { deleteForGood, selectFiles, selectLongDeleted } from './queries.ts';

/** A file younger than this may belong to an upload whose row is still to come. */
const youngMs = 3_600_000;

/**
 * Removes images for good that were deleted long ago and that nothing shows any more. Their files
 * go once the rows are gone, so no row ever names a file that is not there.
 */
export async function forgetDeleted(
  { db, files, users }: Pick<ImagesContext, 'db' | 'files' | 'users'>,
  workspaceId: number,
): Promise<void> {
  const gone = await db.asTenant(workspaceId, async (tx) => {
    await takeLock(tx, imagesLock, workspaceId);
    const found = await selectLongDeleted(tx, workspaceId, deletedDays);
    if (found.length === 0) return [];
    const held = new Set<string>();
    const tokens = found.map(({ token }) => token);
    for (const user of users) for (const token of await user.held(tx, workspaceId, tokens)) held.add(token);
    const ids = found.filter(({ token }) => !held.has(token)).map(({ id }) => id);
    return deleteForGood(tx, workspaceId, ids);
  });
  for (const row of gone) await files.remove(keyOf({ workspaceId, ...row }));
}

/** Removes a workspace's files that no row names, such as a crash leaves. */
export async function removeOrphans(
  { db, files }: Pick<ImagesContext, 'db' | 'files'>,
  workspaceId: number,
): Promise<void> {
  // The files come before the rows: a file that is added meanwhile is not looked at.
  const found = await files.list(folderOf(workspaceId));
  if (found.length === 0) return;
  const rows = await db.asTenant(workspaceId, (tx) => selectFiles(tx, workspaceId));
  const named = new Set(rows.map((row) => keyOf({ workspaceId, ...row })));
  for (const key of found) if (!named.has(key)) await removeOld(files, key);
}

/**
 * Removes the images of workspaces that are not there any more. `existing` are those that are, read
 * after the folders.
 */
export async function removeOfGone(
  { files }: Pick<ImagesContext, 'files'>,
  existing: () => Promise<number[]>,
): Promise<void> {
  const folders = await files.folders('images');
  const kept = new Set((await existing()).map(folderOf));
  for (const folder of folders)
    if (!kept.has(folder)) for (const key of await files.list(folder)) await removeOld(files, key);
}

async function removeOld(files: ImagesContext['files'], key: string): Promise<void> {
  const file = await stat(files.placeOf(key)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file && Date.now() - file.mtimeMs > youngMs) await files.remove(key);
}
