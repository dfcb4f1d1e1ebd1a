import { existsSync } from 'node:fs';
import { AppError } from '#platform/shared/errors.ts';
import { Meter, uploadStates } from './engine/messages.ts';
import { claimAbandoned, findImport } from './record-queries.ts';
import { writeFailure } from './runner.ts';
import type { ImportsContext } from './service.ts';

/** How often an import is taken up again before it is given up. */
const attemptLimit = 5;

/**
 * Takes up imports whose process has died: a file that had arrived whole is run again from the start, with the same
 * result; one that had not is marked as cut off. Safe to run in every process at any time: each import is claimed.
 * Answers how many were taken up.
 */
export async function recoverImports(context: ImportsContext): Promise<number> {
  const abandoned = await claimAbandoned(context.db.system);
  for (const { workspaceId, id } of abandoned) {
    if (context.runner.find(workspaceId, id)) continue;
    await recoverOne(context, workspaceId, id);
  }
  return abandoned.length;
}

async function recoverOne(context: ImportsContext, workspaceId: number, id: number): Promise<void> {
  const { db, files, runner, log } = context;
  const row = await db.asTenant(workspaceId, (tx) => findImport(tx, workspaceId, id));
  if (!row) return;
  const record = { workspaceId, importId: id, fileName: row.fileName, userId: row.createdBy };
  const fileKey = row.fileKey;
  if (row.status === 'uploading' || fileKey === null) {
    await writeFailure(
      db,
      record,
      new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.'),
    );
    await files.remove(fileKey ?? `imports/${workspaceId}/${id}.csv`);
    return;
  }
  if (!existsSync(await files.pathFor(fileKey))) {
    log.warn(
      { import: id },
      'the stored file of an abandoned import is not on this machine; left to another',
    );
    return;
  }
  if (row.attempts >= attemptLimit) {
    await writeFailure(
      db,
      record,
      new AppError(
        'internal',
        'The import was broken off again and again and has been given up. Nothing was imported.',
      ),
    );
    await files.remove(fileKey);
    return;
  }
  log.info({ import: id, attempt: row.attempts + 1 }, 'taking up an import that was broken off');
  const meter = new Meter();
  meter.set('bytesTotal', row.fileSize);
  meter.set('uploaded', row.fileSize);
  meter.set('uploadState', uploadStates.complete);
  runner.start({
    ...record,
    fileKey,
    options: row.options,
    reading: row.reading ?? {},
    dryRun: row.status === 'checking',
    ...(row.dryRun ? { checkedAs: { options: row.options, reading: row.reading ?? {} } } : {}),
    uploading: false,
    meter,
  });
}
