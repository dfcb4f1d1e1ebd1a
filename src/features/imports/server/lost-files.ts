import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Database } from '#platform/server/database.ts';
import type { FileStore } from '#platform/server/files.ts';
import { AppError } from '#platform/shared/errors.ts';
import { writeFailure } from './fail.ts';
import { claimWaiting, type OldFile, selectOldFiles } from './life-queries.ts';
import { deleteChecked } from './records/record-queries.ts';

const lost = () =>
  new AppError('conflict', 'The file is not there any more. Nothing was imported; choose it again.');

/**
 * Ends the workspace's imports that wait for a file that is gone, as after a restore of the
 * database alone: every process would leave them to another for ever. Deletes the records of files
 * that were only tried and are gone. Returns how many.
 */
export async function endLost(
  context: { db: Database; files: FileStore },
  workspaceId: number,
): Promise<number> {
  const { db, files } = context;
  const old = await db.asTenant(workspaceId, (tx) => selectOldFiles(tx, workspaceId));
  let ended = 0;
  for (const one of old) {
    if (existsSync(files.placeOf(one.fileKey))) continue;
    if (await endOne(db, workspaceId, one)) ended++;
  }
  return ended;
}

/** Returns false when somebody has done something with it meanwhile. */
async function endOne(db: Database, workspaceId: number, one: OldFile): Promise<boolean> {
  const { id, fileName, createdBy: userId } = one;
  if (one.status === 'checked')
    return (await db.asTenant(workspaceId, (tx) => deleteChecked(tx, workspaceId, id))) !== undefined;
  const run = { workspaceId, id, lease: randomUUID() };
  if (!(await db.asTenant(workspaceId, (tx) => claimWaiting(tx, run)))) return false;
  return writeFailure(db, { run, fileName, userId }, lost());
}
