import { takeLock } from '#platform/server/locks.ts';
import { deletedDays } from '../rules/limits.ts';
import type { ImagesContext } from './context.ts';
import { folderOf, type ImageFiles, keyOf } from './image-files.ts';
import { imagesLock } from './locks.ts';
import { deleteForGood, selectFiles, selectLongDeleted } from './queries.ts';

/** A file younger than this may belong to an upload whose row is still to come. */
const youngMs = 3_600_000;

/**
 * Removes images for good that were deleted long ago and that nothing shows any more. Their files
 * go once the rows are gone, so no row ever names a file that is not there.
 */
export async function forgetDeleted(
  { db, kept, users }: Pick<ImagesContext, 'db' | 'kept' | 'users'>,
  workspaceId: number,
): Promise<void> {
  const gone = await db.asTenant(workspaceId, async (tx) => {
    const found = await selectLongDeleted(tx, workspaceId, deletedDays);
    if (found.length === 0) return [];
    const held = new Set<string>();
    const tokens = found.map(({ token }) => token);
    for (const user of users) for (const token of await user.held(tx, workspaceId, tokens)) held.add(token);
    // Uploads wait for this lock, so it is taken once it is known what is held.
    await takeLock(tx, imagesLock, workspaceId);
    const ids = found.filter(({ token }) => !held.has(token)).map(({ id }) => id);
    return deleteForGood(tx, workspaceId, ids);
  });
  for (const row of gone) await kept.remove(keyOf({ workspaceId, ...row }));
}

/** Removes a workspace's files that no row names, such as a crash leaves. */
export async function removeOrphans(
  { db, kept }: Pick<ImagesContext, 'db' | 'kept'>,
  workspaceId: number,
): Promise<void> {
  // The files come before the rows: a file that is added meanwhile is not looked at.
  const found = await kept.list(folderOf(workspaceId));
  if (found.length === 0) return;
  const rows = await db.asTenant(workspaceId, (tx) => selectFiles(tx, workspaceId));
  const named = new Set(rows.map((row) => keyOf({ workspaceId, ...row })));
  for (const file of found) if (!named.has(file.key)) await removeOld(kept, file);
}

/**
 * Removes the images of workspaces that are not there any more. `existing` are those that are, read
 * after the folders.
 */
export async function removeOfGone(
  { kept }: Pick<ImagesContext, 'kept'>,
  existing: () => Promise<number[]>,
): Promise<void> {
  const folders = await kept.folders();
  const wanted = new Set((await existing()).map(folderOf));
  for (const folder of folders)
    if (!wanted.has(folder)) for (const file of await kept.list(folder)) await removeOld(kept, file);
}

async function removeOld(
  kept: ImageFiles,
  { key, writtenAt }: Awaited<ReturnType<ImageFiles['list']>>[number],
): Promise<void> {
  if (Date.now() - writtenAt > youngMs) await kept.remove(key);
}
