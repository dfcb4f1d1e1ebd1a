import { recordActivity } from '#features/activities/server/thread.ts';
import { recordAudit } from '#features/audit/server/thread.ts';
import { importing } from '#features/contacts/server/thread.ts';
import type { ReadSheet } from '#features/workbooks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { FateCounts, ImportNotes, NonUkView } from '../contract.ts';
import type { ReadAs } from '../rules/read-as.ts';
import type { EngineJob } from './engine/messages.ts';
import type { SampleRow } from './engine/receipt.ts';
import { markCompleted } from './life-queries.ts';

/** The dashboard line that follows one import from start to end. */
export const importSubject = (importId: number): string => `import:${importId}`;

/** Completes the import's record and reports it, in the transaction that adds the contacts. */
export async function completeImport(
  tx: TenantTx,
  job: Pick<EngineJob, 'workspaceId' | 'importId' | 'lease' | 'fileName' | 'userId' | 'receiptKey'>,
  done: {
    rows: number;
    blank: number;
    counts: FateCounts;
    newlySuppressed: number;
    leftTopics: number;
    nonUkView: NonUkView;
    notes: ImportNotes;
    readAs: ReadAs;
    firstContactId: number | null;
    lastContactId: number | null;
    sheet: ReadSheet | null;
  },
  kept: { problems: unknown; samples: SampleRow[]; extraFields: readonly string[] },
): Promise<void> {
  const run = { workspaceId: job.workspaceId, id: job.importId, lease: job.lease };
  await importing.rememberFieldNames(tx, job.workspaceId, kept.extraFields);
  const end = { ...done, ...kept, receiptKey: job.receiptKey };
  const { imported: added, ...leftOut } = done.counts;
  await recordAudit(tx, job.workspaceId, {
    actor: await markCompleted(tx, run, end),
    action: 'import.completed',
    subject: importSubject(job.importId),
    details: {
      fileName: job.fileName,
      added,
      ...leftOut,
      ...(done.newlySuppressed > 0 ? { newlySuppressed: done.newlySuppressed } : {}),
      ...(done.leftTopics > 0 ? { leftTopics: done.leftTopics } : {}),
    },
  });
  await recordActivity(tx, job.workspaceId, {
    action: 'CSV Import',
    details: `${job.fileName}, ${formatNumber(done.counts.imported)} new`,
    status: 'completed',
    icon: 'file-import',
    iconColor: 'success',
    actor: job.userId,
    subject: importSubject(job.importId),
    link: `/imports/${job.importId}`,
  });
}
