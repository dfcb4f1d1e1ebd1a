import type { Database } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { FateCounts, ImportCheck, ImportNotes, ImportRecord } from '../../contract.ts';
import { noNotes } from '../../rules/notes.ts';
import { findImport, type ImportRow } from './record-queries.ts';
import { choicesHashOf } from './seen.ts';

/** @throws AppError `not_found`: no such import in this workspace. */
export async function needImport(
  { db }: { db: Database },
  workspaceId: number,
  importId: number,
): Promise<ImportRow> {
  const row = await db.asTenant(workspaceId, (tx) => findImport(tx, workspaceId, importId));
  if (!row) throw new AppError('not_found', 'There is no such import.');
  return row;
}

export async function getRecord(
  context: { db: Database },
  workspaceId: number,
  importId: number,
): Promise<ImportRecord & { check: ImportCheck | null; notes: ImportNotes | null }> {
  const row = await needImport(context, workspaceId, importId);
  return { ...toRecord(row), check: row.dryRun, notes: row.notes && { ...noNotes, ...row.notes } };
}

/** The number of rows per fate; null for an import that is not completed. */
export function countsOf(row: ImportRow): FateCounts | null {
  const { imported, duplicates, invalid, suppressed, nonUk } = row;
  if (imported === null || duplicates === null || invalid === null || suppressed === null || nonUk === null)
    return null;
  return { imported, duplicates, invalid, suppressed, nonUk };
}

/** The record as the API shows it. */
export function toRecord(row: ImportRow): ImportRecord {
  return {
    id: row.id,
    fileName: row.fileName,
    fileSize: row.fileSize,
    status: row.status,
    results: countsOf(row),
    rows: row.rows,
    blank: row.blank,
    newlySuppressed: row.newlySuppressed,
    leftTopics: row.leftTopics,
    sheet: row.sheet,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    restoredAt: row.restoredAt?.toISOString() ?? null,
    restored: row.restored,
    createdBy: row.createdByName,
    hasReceipt: row.receiptKey !== null,
    canUndo:
      row.status === 'completed' &&
      row.undoneAt === null &&
      ((row.imported ?? 0) > 0 || row.addedTo.length > 0),
    options: row.options,
    // While the file is read again, its last check is shown.
    choicesHash: choicesHashOf(row.checkedAs ?? row),
    addedTo: row.addedTo,
  };
}
