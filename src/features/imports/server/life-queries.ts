import { sql } from 'kysely';
import type { ReadSheet } from '#features/workbooks/server/index.ts';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import { changesCountAtOnce } from '#platform/server/statistics.ts';
import { storableJson } from '#platform/server/storable-text.ts';
import {
  Leases,
  leaseFromNow,
  leaseSeconds,
  type WorkKey,
  type WorkRun,
} from '#platform/server/work/leases.ts';
import {
  type FateCounts,
  type ImportCheck,
  type ImportNotes,
  type ImportOptions,
  type ImportProgress,
  type NonUkView,
  readingVersion,
  type StoredReading,
} from '../contract.ts';
import type { ReadAs } from '../rules/read-as.ts';
import type { SampleRow } from './engine/receipt.ts';
import type { Choices } from './records/seen.ts';

/** The steps of an import's life. Whoever writes one holds the import. */

/** Who holds which import: the run that receives its file, then the run whose engine reads it. */
export const leases = new Leases({
  name: 'imports',
  underWay: ['uploading', 'checking', 'processing'],
  givenBackAs: null,
  canBeCancelled: false,
});

/** For an import that nobody works on any more. */
const noLease = sql`lease = null, lease_until = null, progress = null`;

/**
 * The choices, with the version of the product that they were made for. What a newer one has
 * checked stays with it.
 */
const stored = (reading: StoredReading): string =>
  JSON.stringify({ ...reading, readBy: Math.max(reading.readBy ?? 0, readingVersion) });

/** The column that tells how far an import is. */
export const toldOf = (progress: ImportProgress) => sql`progress = ${JSON.stringify(progress)}`;

/**
 * Creates a record, before the first byte of the file is stored. The run that receives the file
 * holds it.
 */
export async function createImport(
  tx: TenantTx,
  record: {
    workspaceId: number;
    fileName: string;
    status: 'uploading' | 'checking';
    options: ImportOptions;
    reading: StoredReading;
    createdBy: string;
    /** The person's email address, or which API key it was. */
    actor: string;
    /** The name of the run that receives the file. */
    lease: string;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into imports (workspace_id, file_name, status, options, reading, created_by, actor, lease, lease_until)
    values (${record.workspaceId}, ${record.fileName}, ${record.status}, ${JSON.stringify(record.options)},
      ${stored(record.reading)}, ${record.createdBy}, ${record.actor}, ${record.lease}::uuid, ${leaseFromNow})
    returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/** How to read a file, and whether this is a dry run. */
export interface ReadingOrder {
  options: ImportOptions;
  reading: StoredReading;
  dryRun: boolean;
}

const waitingAs = ({ dryRun }: ReadingOrder) => (dryRun ? 'checking' : 'processing');

/**
 * The file has arrived whole, so the import now waits for an engine. Returns false when another run
 * holds it.
 */
export async function queueUpload(
  tx: TenantTx,
  run: WorkRun,
  file: { key: string; size: number },
  order: ReadingOrder,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set file_key = ${file.key}, file_size = ${file.size}, status = ${waitingAs(order)},
      options = ${JSON.stringify(order.options)}, reading = ${stored(order.reading)},
      lease = null, lease_until = null
    where ${leases.heldBy(run)}`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * The choices of a file that a dry run kept, locked until the transaction ends. Null when it is no
 * longer kept.
 */
export async function lockKept(tx: TenantTx, workspaceId: number, id: number): Promise<Choices | null> {
  const { rows } = await sql<Choices>`
    select options, reading from imports
    where workspace_id = ${workspaceId} and id = ${id} and status = 'checked' and file_key is not null
    for update`.execute(tx);
  return rows[0] ?? null;
}

/**
 * A file that `lockKept` has locked waits for an engine again. Returns its choices as they are
 * stored.
 */
export async function queueKept(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  order: ReadingOrder,
): Promise<Choices> {
  const { rows } = await sql<Choices>`
    update imports set status = ${waitingAs(order)}, options = ${JSON.stringify(order.options)},
      reading = ${stored(order.reading)},
      checked_as = jsonb_build_object('options', options, 'reading', coalesce(reading, '{}'))
    where workspace_id = ${workspaceId} and id = ${id}
    returning options, reading`.execute(tx);
  return rows[0] as Choices;
}

/**
 * Chooses those of the list, the tags and the marketing basis for the contacts of a kept file that
 * are given; null for none. While it is tried again, its last choices get them too. Returns false
 * when it is no longer kept.
 */
export async function writeGroups(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  groups: {
    listId?: number | null;
    tagIds?: readonly number[] | null;
    basis?: ImportOptions['basis'] | null;
  },
): Promise<boolean> {
  const given = Object.entries(groups).filter(([, chosen]) => chosen !== null);
  const chosen = (options: Fragment) =>
    sql`(${options} - ${Object.keys(groups)}::text[]) || ${JSON.stringify(Object.fromEntries(given))}::jsonb`;
  const { numAffectedRows } = await sql`
    update imports set options = ${chosen(sql`options`)},
      checked_as = case when checked_as is not null
        then jsonb_set(checked_as, '{options}', ${chosen(sql`(checked_as -> 'options')`)}) end
    where workspace_id = ${workspaceId} and id = ${id} and status in ('checked', 'checking')`.execute(tx);
  return numAffectedRows === 1n;
}

/** Whether the import waits for an engine, with its file here. */
export async function isWaiting(tx: TenantTx, { workspaceId, id }: WorkKey): Promise<boolean> {
  const { rows } = await sql`
    select 1 from imports
    where workspace_id = ${workspaceId} and id = ${id} and status in ('checking', 'processing')
      and file_key is not null and lease is null`.execute(tx);
  return rows.length > 0;
}

/** An import that waits, or a file that was only tried, with where the file should be. */
export interface OldFile {
  id: number;
  status: 'checking' | 'processing' | 'checked';
  fileKey: string;
  fileName: string;
  createdBy: string | null;
}

/** Those of the workspace that were begun more than a day ago. */
export async function selectOldFiles(tx: TenantTx, workspaceId: number): Promise<OldFile[]> {
  const { rows } = await sql<OldFile>`
    select id, status, file_key as "fileKey", file_name as "fileName", created_by as "createdBy" from imports
    where workspace_id = ${workspaceId} and status in ('checking', 'processing', 'checked')
      and file_key is not null and created_at < now() - interval '1 day'
    order by id`.execute(tx);
  return rows;
}

/** Gives this run one import that waits for an engine. False when another run has it. */
export async function claimWaiting(tx: TenantTx, { workspaceId, id, lease }: WorkRun): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set lease = ${lease}::uuid, lease_until = ${leaseFromNow}
    where workspace_id = ${workspaceId} and id = ${id} and status in ('checking', 'processing')
      and file_key is not null and coalesce(lease_until, '-infinity') < clock_timestamp()`.execute(tx);
  return numAffectedRows === 1n;
}

/** Gives this run an import that waits, or whose process is dead. Null when there is none. */
export async function claimImport(
  db: SystemDb,
  claim: { lease: string; eachWorkspace: number; leaveOut: readonly number[] },
): Promise<WorkKey | null> {
  const { rows } = await sql<WorkKey>`
    select workspace_id as "workspaceId", id
    from claim_import(${claim.lease}::uuid, ${leaseSeconds}::int, ${claim.eachWorkspace}::int,
      ${[...claim.leaveOut]}::bigint[])`.execute(db);
  return rows[0] ?? null;
}

/**
 * Begins the import that this run has claimed, and returns how often that has happened. Null when
 * this run no longer holds it.
 */
export async function markBegun(tx: TenantTx, run: WorkRun): Promise<number | null> {
  const { rows } = await sql<{ attempts: number }>`
    update imports set started_at = now(), attempts = attempts + 1, error = null, error_code = null
    where ${leases.heldBy(run)} returning attempts`.execute(tx);
  return rows[0]?.attempts ?? null;
}

/**
 * Completes an import, in the transaction that holds its contacts. Throws when the run no longer
 * holds it.
 */
export async function markCompleted(
  tx: TenantTx,
  run: WorkRun,
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
      suppressed = ${counts.suppressed}, newly_suppressed = ${done.newlySuppressed}, left_topics = ${done.leftTopics}, non_uk = ${counts.nonUk}, receipt_key = ${done.receiptKey},
      first_contact_id = ${done.firstContactId}, last_contact_id = ${done.lastContactId},
      non_uk_view = ${storableJson(done.nonUkView)}, notes = ${storableJson(done.notes)},
      read_as = ${storableJson(done.readAs)},
      sheet = ${done.sheet === null ? null : storableJson(done.sheet)}::jsonb,
      problems = ${storableJson(done.problems)}, samples = ${storableJson(done.samples)},
      ${noLease}, file_key = null, dry_run = null, checked_as = null, finished_at = now()
    where ${leases.heldBy(run)}
    returning actor, ${changesCountAtOnce}`.execute(tx);
  const [record] = rows;
  if (!record) throw new Error(`import ${run.id} is held by another run`);
  return record.actor;
}

/** Ends a dry run. The file is kept, and the next try with it counts as a first attempt. */
export async function markChecked(tx: TenantTx, run: WorkRun, check: ImportCheck): Promise<void> {
  await sql`
    update imports set status = 'checked', dry_run = ${storableJson(check)}, attempts = 0, checked_as = null,
      ${noLease}
    where ${leases.heldBy(run)}`.execute(tx);
}

/** A dry run with other choices failed: the file waits again, with its previous check. */
export async function markCheckedAsBefore(tx: TenantTx, run: WorkRun): Promise<void> {
  await sql`
    update imports set status = 'checked', options = checked_as -> 'options', reading = checked_as -> 'reading',
      attempts = 0, checked_as = null, ${noLease}
    where ${leases.heldBy(run)} and checked_as is not null`.execute(tx);
}

/**
 * Ends an import that could not be done. Returns false when another run holds it or it has already
 * ended.
 */
export async function markFailed(
  tx: TenantTx,
  run: WorkRun,
  failure: { code: string; message: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set status = 'failed', error = ${failure.message}, error_code = ${failure.code},
      file_key = null, dry_run = null, checked_as = null, finished_at = now(), ${noLease}
    where ${leases.heldBy(run)}`.execute(tx);
  return numAffectedRows === 1n;
}
