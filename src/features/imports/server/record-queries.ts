import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { Starts } from '#platform/server/start-limits.ts';
import type { FateCounts, ImportCheck, ImportOptions, ImportProgress, ReadingChoice } from '../contract.ts';
import type { SampleRow } from './engine/receipt.ts';
import { importStartsLock } from './locks.ts';

/** The imports' own records. */
export interface ImportRow {
  id: number;
  fileName: string;
  fileSize: number;
  fileKey: string | null;
  receiptKey: string | null;
  status: 'uploading' | 'checking' | 'checked' | 'processing' | 'completed' | 'failed';
  options: ImportOptions;
  reading: ReadingChoice | null;
  rows: number | null;
  /** Lines without an address; null also of imports from before they were counted. */
  blank: number | null;
  imported: number | null;
  duplicates: number | null;
  invalid: number | null;
  suppressed: number | null;
  nonUk: number | null;
  dryRun: ImportCheck | null;
  progress: ImportProgress | null;
  error: string | null;
  errorCode: string | null;
  firstContactId: number | null;
  lastContactId: number | null;
  createdBy: string | null;
  createdByName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  undoneAt: Date | null;
  attempts: number;
}

/** Seconds for which a process at work holds an import before others may take it for dead. */
export const leaseSeconds = 12;

const columns = sql`
  i.id, i.file_name as "fileName", i.file_size as "fileSize", i.file_key as "fileKey", i.receipt_key as "receiptKey",
  i.status, i.options, i.reading, i.rows, i.blank, i.imported, i.duplicates, i.invalid, i.suppressed, i.non_uk as "nonUk",
  i.progress, i.error, i.error_code as "errorCode", i.first_contact_id as "firstContactId",
  i.last_contact_id as "lastContactId", i.created_by as "createdBy", u.name as "createdByName",
  i.created_at as "createdAt", i.started_at as "startedAt", i.finished_at as "finishedAt", i.undone_at as "undoneAt",
  i.attempts`;

/** A new record, before the first byte of the file is stored. */
export async function createImport(
  tx: TenantTx,
  record: {
    workspaceId: number;
    fileName: string;
    status: 'uploading' | 'checking';
    options: ImportOptions;
    reading: ReadingChoice;
    createdBy: string;
    /** The person's email address, or which API key. */
    actor: string;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into imports (workspace_id, file_name, status, options, reading, created_by, actor, lease_until)
    values (${record.workspaceId}, ${record.fileName}, ${record.status}, ${JSON.stringify(record.options)},
      ${JSON.stringify(record.reading)}, ${record.createdBy}, ${record.actor}, now() + make_interval(secs => ${leaseSeconds}))
    returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/**
 * How many imports a person began of late and the workspace has under way, but for `except`. Whoever begins one asks first, in the
 * same transaction, and holds a lock until its end, so that of many at the same moment each is counted.
 */
export async function countStarts(
  tx: TenantTx,
  workspaceId: number,
  of: { createdBy: string; aMinute: number; except: number | null },
): Promise<Starts> {
  await takeLock(tx, importStartsLock, workspaceId);
  const { rows } = await sql<Starts>`
    select (
      select ceil(60 - extract(epoch from clock_timestamp() - created_at))::int from imports
      where workspace_id = ${workspaceId} and created_by = ${of.createdBy}
        and created_at > clock_timestamp() - interval '1 minute'
      order by created_at desc offset ${of.aMinute - 1}::bigint limit 1
    ) as "secondsToWait", (
      select count(*) from imports
      where workspace_id = ${workspaceId} and status in ('uploading', 'checking', 'processing')
        and lease_until > now() and id is distinct from ${of.except}::bigint
    ) as "underWay"`.execute(tx);
  return rows[0] ?? { secondsToWait: null, underWay: 0 };
}

/** One import with its last dry run. */
export async function findImport(tx: TenantTx, workspaceId: number, id: number): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${columns}, i.dry_run as "dryRun"
    from imports i left join users u on u.id = i.created_by::bigint
    where i.workspace_id = ${workspaceId} and i.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** Imports newest first, those after one or so many on; files that were only tried are not among them. */
export async function listImportRows(
  tx: TenantTx,
  workspaceId: number,
  page: { after: number | null; offset: number; limit: number },
): Promise<{ rows: ImportRow[]; totalCount: number }> {
  const { rows } = await sql<ImportRow>`
    select ${columns}, null as "dryRun"
    from imports i left join users u on u.id = i.created_by::bigint
    where i.workspace_id = ${workspaceId} and i.status not in ('checking', 'checked')
      ${page.after === null ? sql`` : sql`and i.id < ${page.after}`}
    order by i.id desc limit ${page.limit} offset ${page.offset}`.execute(tx);
  const total = await sql<{ count: number }>`
    select count(*) as count from imports i
    where i.workspace_id = ${workspaceId} and i.status not in ('checking', 'checked')`.execute(tx);
  return { rows, totalCount: total.rows[0]?.count ?? 0 };
}

/** Marks the import as at work: from here on a dead process is noticed by its lease. Answers how often that was done. */
export async function startImport(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  start: { status: 'uploading' | 'checking' | 'processing'; options: ImportOptions; reading: ReadingChoice },
): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`update imports set status = ${start.status},
      options = ${JSON.stringify(start.options)}, reading = ${JSON.stringify(start.reading)},
      started_at = now(), attempts = attempts + 1, error = null, error_code = null,
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where workspace_id = ${workspaceId} and id = ${id} and status not in ('completed', 'failed')
    returning attempts`.execute(tx);
  return rows[0]?.attempts ?? 0;
}

/** The upload is complete: after a crash the file can be run again. Never takes a finished import back. */
export async function noteUploaded(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  file: { key: string; size: number },
): Promise<void> {
  await sql`update imports set file_key = ${file.key}, file_size = ${file.size},
      status = case when status = 'uploading' then 'processing' else status end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Says that the process is alive, and how far it is. */
export async function renewLease(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  progress: ImportProgress,
): Promise<void> {
  await sql`update imports set lease_until = now() + make_interval(secs => ${leaseSeconds}),
      progress = ${JSON.stringify(progress)}
    where workspace_id = ${workspaceId} and id = ${id} and status in ('uploading', 'checking', 'processing')`.execute(
    tx,
  );
}

/** The end of an import, in the transaction that holds its contacts. A record that is finished already is a fault. */
export async function markCompleted(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  done: {
    rows: number;
    blank: number;
    counts: FateCounts;
    firstContactId: number | null;
    lastContactId: number | null;
    receiptKey: string;
    problems: unknown;
    samples: SampleRow[];
  },
): Promise<string | null> {
  const { counts } = done;
  const { rows } = await sql<{
    actor: string | null;
  }>`update imports set status = 'completed', rows = ${done.rows}, blank = ${done.blank},
      imported = ${counts.imported}, duplicates = ${counts.duplicates}, invalid = ${counts.invalid},
      suppressed = ${counts.suppressed}, non_uk = ${counts.nonUk}, receipt_key = ${done.receiptKey},
      first_contact_id = ${done.firstContactId}, last_contact_id = ${done.lastContactId},
      problems = ${JSON.stringify(done.problems)}, samples = ${JSON.stringify(done.samples)},
      file_key = null, lease_until = null, progress = null, finished_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and status in ('uploading', 'checking', 'processing')
    returning actor`.execute(tx);
  const [record] = rows;
  if (!record) throw new Error(`import ${id} was finished by somebody else`);
  return record.actor;
}

/** The end of a dry run; the file is kept, and what is tried with it next is a first attempt. */
export async function markChecked(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  check: ImportCheck,
): Promise<void> {
  await sql`update imports set status = 'checked', dry_run = ${JSON.stringify(check)}, lease_until = null,
      progress = null, attempts = 0
    where workspace_id = ${workspaceId} and id = ${id} and status in ('uploading', 'checking', 'processing', 'checked')`.execute(
    tx,
  );
}

/** A dry run with other choices came to nothing: the file waits again, checked as it was before. */
export async function markCheckedAsBefore(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  before: { options: ImportOptions; reading: ReadingChoice },
): Promise<void> {
  await sql`update imports set status = 'checked', options = ${JSON.stringify(before.options)},
      reading = ${JSON.stringify(before.reading)}, lease_until = null, progress = null, attempts = 0
    where workspace_id = ${workspaceId} and id = ${id} and status = 'checking'`.execute(tx);
}

/** The end of an import that could not be done. Answers false when it had ended already. */
export async function markFailed(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  failure: { code: string; message: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update imports set status = 'failed', error = ${failure.message},
      error_code = ${failure.code}, file_key = null, lease_until = null, progress = null,
      finished_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and status in ('uploading', 'checking', 'processing')`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Notes that what the import added has been removed. Answers false when that was so already. */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  removalId: number | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update imports set undone_at = now(), removal_id = ${removalId}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'completed' and undone_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** The keys of all files that the workspace's imports name. */
export async function fileKeys(tx: TenantTx, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from imports i cross join lateral (values (i.file_key), (i.receipt_key)) named (key)
    where i.workspace_id = ${workspaceId} and key is not null`.execute(tx);
  return rows.map((row) => row.key);
}

/** Lets an import be undone again, after undoing it was broken off. */
export async function unmarkUndone(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`update imports set undone_at = null, removal_id = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Forgets a file that was only tried. */
export async function deleteChecked(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ fileKey: string | null }>`delete from imports
    where workspace_id = ${workspaceId} and id = ${id} and status = 'checked'
    returning file_key as "fileKey"`.execute(tx);
  return rows[0]?.fileKey;
}

/** The kept sample of the rows that were left out. */
export async function findSamples(tx: TenantTx, workspaceId: number, id: number): Promise<SampleRow[]> {
  const { rows } = await sql<{ samples: SampleRow[] | null }>`
    select samples from imports where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return rows[0]?.samples ?? [];
}

/** Imports of all workspaces whose process has died, claimed for one lease. */
export async function claimAbandoned(
  db: SystemDb,
): Promise<{ workspaceId: number; id: number; status: string }[]> {
  const { rows } = await sql<{ workspaceId: number; id: number; status: string }>`
    select workspace_id as "workspaceId", id, status from claim_abandoned_imports(${leaseSeconds})`.execute(
    db,
  );
  return rows;
}

/** Forgets files that were tried more than `days` ago and never imported; answers where they are kept. */
export async function expireChecked(
  tx: TenantTx,
  workspaceId: number,
  days: number,
): Promise<(string | null)[]> {
  const { rows } = await sql<{ key: string | null }>`
    delete from imports
    where workspace_id = ${workspaceId} and status = 'checked' and created_at < now() - make_interval(days => ${days}::int)
    returning file_key as key`.execute(tx);
  return rows.map((row) => row.key);
}

/** Forgets the receipts of imports that ended more than `days` ago; answers where they are kept. */
export async function expireReceipts(tx: TenantTx, workspaceId: number, days: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    update imports i set receipt_key = null
    from (
      select id, receipt_key as key from imports
      where workspace_id = ${workspaceId} and receipt_key is not null
        and finished_at < now() - make_interval(days => ${days}::int)
      for update
    ) old
    where i.workspace_id = ${workspaceId} and i.id = old.id
    returning old.key`.execute(tx);
  return rows.map((row) => row.key);
}
