import { recordActivity } from '#features/activities/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import { AppError } from '#platform/shared/errors.ts';
import { importSubject } from './complete.ts';
import { markFailed } from './life-queries.ts';

export const cutOff = () =>
  new AppError('upload_cut_off', 'The upload was cut off. Nothing was imported; please try again.');

/**
 * Ends the record of an import that could not be done, and reports it. Returns false when another
 * run holds it.
 */
export async function writeFailure(
  db: Database,
  record: { run: WorkRun; fileName: string; userId: string | null },
  failure: Pick<AppError, 'code' | 'message'>,
): Promise<boolean> {
  const { workspaceId, id } = record.run;
  return db.asTenant(workspaceId, async (tx) => {
    if (!(await markFailed(tx, record.run, failure))) return false;
    await recordActivity(tx, workspaceId, {
      action: 'CSV Import',
      details: `${record.fileName}: ${failure.message}`,
      status: 'failed',
      icon: 'file-import',
      iconColor: 'error',
      actor: record.userId,
      subject: importSubject(id),
      link: `/imports/${id}`,
    });
    return true;
  });
}
