import { sql } from 'kysely';
import type { ReadSheet } from '#features/workbooks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { storableJson } from '#platform/server/storable-text.ts';
import type {
  ImportCheck,
  ImportNotes,
  ImportOptions,
  ImportProgress,
  ImportRecord,
  NonUkView,
  StoredReading,
} from '../../contract.ts';
import type { ReadAs } from '../../rules/read-as.ts';
import type { SampleRow } from '../engine/receipt.ts';

/** The records of the imports. */
export interface ImportRow {
  id: number;
  fileName: string;
  fileSize: number;
  fileKey: string | null;
  receiptKey: string | null;
  status: 'uploading' | 'checking' | 'checked' | 'processing' | 'completed' | 'failed';
  options: ImportOptions;
  addedTo: ImportRecord['addedTo'];
  reading: StoredReading | null;
  rows: number | null;
  /** Lines without an address. Also null for imports from before these lines were counted. */
  blank: number | null;
  newlySuppressed: number | null;
  leftTopics: number | null;
  nonUkView: NonUkView | null;
  /** Read for one import alone. */
  notes: ImportNotes | null;
  /** The same. Also null for imports from before it was kept. */
  readAs: ReadAs | null;
  sheet: ReadSheet | null;
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
  /** When the last of what its undoing removed came back. Null while some of it did not. */
  restoredAt: Date | null;
  /** How many of those that its undoing removed came back. Null when it was not undone. */
  restored: ImportRecord['restored'];
  attempts: number;
  /** The choices of the last check, kept while the checked file is read again. */
  checkedAs: { options: ImportOptions; reading: StoredReading } | null;
}

/** Deleted lists and tags are named as well, as long as they can be restored. */
const addedTo = sql`array(
  select json_build_object('kind', 'list', 'id', l.id, 'name', l.name, 'isDeleted', l.deleted_at is not null) from lists l
  where l.workspace_id = i.workspace_id and l.id = (i.options ->> 'listId')::bigint
  union all
  select json_build_object('kind', 'tag', 'id', t.id, 'name', t.name, 'isDeleted', t.deleted_at is not null) from tags t
  where t.workspace_id = i.workspace_id and i.options -> 'tagIds' @> to_jsonb(t.id)
)`;

const columns = sql`
  i.id, i.file_name as "fileName", i.file_size as "fileSize", i.file_key as "fileKey", i.receipt_key as "receiptKey",
  i.status, i.options, i.reading, i.rows, i.blank, i.newly_suppressed as "newlySuppressed",
  i.left_topics as "leftTopics",
  i.non_uk_view as "nonUkView", i.sheet, i.imported, i.duplicates, i.invalid, i.suppressed, i.non_uk as "nonUk",
  i.progress, i.error, i.error_code as "errorCode", i.first_contact_id as "firstContactId",
  i.last_contact_id as "lastContactId", i.created_by as "createdBy", u.name as "createdByName",
  i.created_at as "createdAt", i.started_at as "startedAt", i.finished_at as "finishedAt", i.undone_at as "undoneAt",
  case when undone.gone = 0 then undone.restored_at end as "restoredAt",
  case when i.undone_at is not null
    then json_build_object('contacts', undone.back, 'outOf', undone.back + undone.gone) end as restored,
  i.attempts, i.checked_as as "checkedAs", ${addedTo} as "addedTo"`;

/**
 * An import may have several removals: an undo that was cancelled leaves one, and its rest can be
 * undone again. What was restored between the two was not restored since.
 */
const source = sql`
  imports i left join users u on u.id = i.created_by::bigint
  cross join lateral (
    select coalesce(sum(m.contacts - m.restored), 0)::bigint as gone,
      coalesce(sum(m.restored) filter (where m.restored_at >= i.undone_at), 0)::bigint as back,
      max(m.restored_at) filter (where m.restored_at >= i.undone_at) as restored_at
    from removals m
    where m.workspace_id = i.workspace_id and m.import_id = i.id and i.undone_at is not null
  ) undone`;

/** One import with its last dry run. */
export async function findImport(tx: TenantTx, workspaceId: number, id: number): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${columns}, i.dry_run as "dryRun", i.notes, i.read_as as "readAs"
    from ${source}
    where i.workspace_id = ${workspaceId} and i.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Imports, newest first, optionally after a given one or a number of them. Files that were only
 * tried are not included.
 */
export async function listImportRows(
  tx: TenantTx,
  workspaceId: number,
  page: { after: number | null; offset: number; limit: number },
): Promise<{ rows: ImportRow[]; totalCount: number }> {
  const { rows } = await sql<ImportRow>`
    select ${columns}, null as "dryRun", null as notes, null as "readAs"
    from ${source}
    where i.workspace_id = ${workspaceId} and i.status not in ('checking', 'checked')
      ${page.after === null ? sql`` : sql`and i.id < ${page.after}`}
    order by i.id desc limit ${page.limit} offset ${page.offset}`.execute(tx);
  const total = await sql<{ count: number }>`
    select count(*) as count from imports i
    where i.workspace_id = ${workspaceId} and i.status not in ('checking', 'checked')`.execute(tx);
  return { rows, totalCount: total.rows[0]?.count ?? 0 };
}

/** The number under which an import is undone within the call. Tasks have higher ones. */
export const noTask = 0;

/**
 * Notes that the import's additions have been removed, and by which task. Returns false when that
 * was already noted.
 */
export async function markUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  taskId: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update imports set undone_at = now(), undo_task_id = ${taskId}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'completed' and undone_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Those of these files that an import of the workspace names. */
export async function selectNamed(
  tx: TenantTx,
  workspaceId: number,
  keys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from imports
    where workspace_id = ${workspaceId} and file_key = any(${[...keys]}::text[])
    union all
    select receipt_key from imports
    where workspace_id = ${workspaceId} and receipt_key = any(${[...keys]}::text[])`.execute(tx);
  return rows.map((row) => row.key);
}

/**
 * Lets an import be undone again, after the task that undid it was interrupted. What another has
 * undone since stays so.
 */
export async function unmarkUndone(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  taskId: number,
): Promise<void> {
  await sql`update imports set undone_at = null, removal_id = null, undo_task_id = null
    where workspace_id = ${workspaceId} and id = ${id} and coalesce(undo_task_id, ${taskId}) = ${taskId}`.execute(
    tx,
  );
}

/** Deletes a file that was only tried. */
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

/** The contacts that corrected rows became. */
export async function findCorrected(tx: TenantTx, workspaceId: number, id: number): Promise<number[]> {
  const samples = await findSamples(tx, workspaceId, id);
  return samples.flatMap(({ corrected }) => (corrected ? [corrected.contactId] : []));
}

/** Those of these contacts that are there, and not in the bin. */
export async function selectPresent(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select id from contacts
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The kept sample of a completed import that was not undone, locked until the transaction ends.
 * Null when there is none.
 */
export async function lockSamples(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<{ samples: SampleRow[]; fileName: string } | null> {
  const { rows } = await sql<{ samples: SampleRow[] | null; fileName: string }>`
    select samples, file_name as "fileName" from imports
    where workspace_id = ${workspaceId} and id = ${id} and status = 'completed' and undone_at is null
    for update`.execute(tx);
  const [row] = rows;
  return row ? { fileName: row.fileName, samples: row.samples ?? [] } : null;
}

/** Stores what became of rows. */
export async function writeSamples(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  samples: readonly SampleRow[],
): Promise<void> {
  await sql`update imports set samples = ${storableJson(samples)}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/**
 * Deletes files that were tried more than `days` ago and never imported. Returns where they are
 * kept.
 */
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

/** Deletes the receipts of imports that ended more than `days` ago. Returns where they are kept. */
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

export interface ImportName {
  id: number;
  fileName: string;
}

/** The files of completed imports that added contacts: those with these ids, or the newest. */
export async function selectImportNames(
  tx: TenantTx,
  workspaceId: number,
  { ids, most }: { ids: readonly number[] | null; most: number },
): Promise<ImportName[]> {
  const named = ids === null ? sql`true` : sql`i.id = any(${[...ids]}::bigint[])`;
  const { rows } = await sql<ImportName>`
    select i.id, i.file_name as "fileName" from imports i
    where i.workspace_id = ${workspaceId} and i.last_contact_id is not null and i.status = 'completed' and ${named}
    order by i.id desc limit ${most}`.execute(tx);
  return rows;
}
