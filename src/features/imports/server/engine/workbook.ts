import { createHash, randomUUID } from 'node:crypto';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isWorkbook, type ReadSheet, writeSheetAsCsv } from '#features/workbooks/server/index.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { EngineJob } from './messages.ts';
import { timeoutMessage } from './timeout-message.ts';

/**
 * Where the stored file is a workbook, has its sheet written as CSV beside it, and returns the job
 * for that. The next run of the same file finds it there. Other jobs are returned as they are.
 *
 * @throws AppError `not_csv`, `empty_file` or `timeout`
 */
export async function withRowsOfSheet(job: EngineJob): Promise<EngineJob> {
  if (!(await isWorkbook(job.filePath))) return job;
  const wanted = job.reading.sheet;
  const filePath = `${job.filePath}.${createHash('sha256')
    .update(wanted ?? '')
    .digest('hex')
    .slice(0, 12)}`;
  const sheet = (await writtenBefore(filePath)) ?? (await writeRows(job, filePath));
  return { ...job, filePath, sheet };
}

async function writtenBefore(path: string): Promise<ReadSheet | null> {
  try {
    await access(path);
    return JSON.parse(await readFile(`${path}.sheet`, 'utf8'));
  } catch {
    return null;
  }
}

/** A name is there when all of the file is: another run may read it at any time. */
async function writeRows(job: EngineJob, path: string): Promise<ReadSheet> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const sheet = await writeSheetAsCsv(job.filePath, unfinished, {
      sheet: job.reading.sheet,
      afterPiece: () => {
        if (Date.now() > job.deadline) throw new AppError('timeout', timeoutMessage(job));
      },
    });
    await rename(unfinished, path);
    await writeFile(unfinished, JSON.stringify(sheet), { mode: 0o600 });
    await rename(unfinished, `${path}.sheet`);
    return sheet;
  } finally {
    await rm(unfinished, { force: true });
  }
}
