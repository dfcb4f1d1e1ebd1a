import { sql } from 'kysely';
import { hasId } from '#features/audience/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { Database, Fragment, TenantTx } from '#platform/server/database.ts';
import { moveToBin } from './move-to-bin.ts';
import { closeBroken, type RemovalsContext, removePieceByPiece } from './removal-tasks.ts';
import { fewContacts, type RemovalWords, recordDone, toResult } from './removal-words.ts';

/** What an import added and nobody has changed since, as work for a task of the imports feature. */
export interface ImportToUndo {
  importId: number;
  fileName: string;
  firstId: number;
  lastId: number;
  /** Contacts that somebody added since, from rows that the import had left out. */
  correctedIds(tx: TenantTx): Promise<readonly number[]>;
  total: number;
  /** Claims the import in the first transaction, so that it is undone only once. */
  begin(tx: TenantTx, removalId: number): Promise<void>;
}

/** True for what an import added and nobody has changed since. */
const isUntouched = (added: { importId: number; firstId: number; lastId: number }): Fragment => sql`
  c.id between ${added.firstId} and ${added.lastId} and c.import_id = ${added.importId} and c.changed_at is null`;

/** The same for contacts from corrected rows. Their other cells are stored as they are added. */
const isCorrected = (ids: readonly number[]): Fragment =>
  sql`${hasId(ids)} and c.import_id is null and coalesce(c.changed_at = c.created_at, true)`;

const whyUndone = (fileName: string): string => `Came with ${fileName}, whose import was undone`;

const undoWords = ({ fileName, importId }: Pick<ImportToUndo, 'fileName' | 'importId'>): RemovalWords => ({
  action: 'Import Undone',
  icon: 'arrow-back-up',
  iconColor: 'warning',
  audit: 'import.undo',
  auditDetails: { importId },
  done: ({ removed }) => `${fileName}, ${contactsInWords(removed)} moved to the bin`,
});

/** Moves what an import added and nobody has changed since to the bin. For the `run` of a task. */
export async function undoImportInPieces(
  { db, companions }: RemovalsContext,
  context: TaskContext<unknown>,
  undo: ImportToUndo,
): Promise<{ removed: number; removalId: number | null }> {
  const { firstId, lastId } = undo;
  const result = await removePieceByPiece({ db, companions }, context, {
    removal: {
      kind: 'undo_import',
      importId: undo.importId,
      removedBy: context.actor,
      why: whyUndone(undo.fileName),
    },
    begin: undo.begin,
    // Corrected rows became contacts after the import, so their ids follow.
    next: async (tx, after) =>
      after < lastId
        ? { chosen: isUntouched(undo), upTo: lastId }
        : { chosen: isCorrected(await undo.correctedIds(tx)) },
    between: { first: firstId, last: Number.MAX_SAFE_INTEGER },
    total: undo.total,
    words: undoWords(undo),
  });
  return toResult(result);
}

/** Closes the undo of an import that was cancelled or failed. */
export async function closeBrokenUndo(
  db: Database,
  context: TaskContext<unknown>,
  undo: Pick<ImportToUndo, 'fileName' | 'importId'>,
  end: 'failed' | 'cancelled',
): Promise<{ removed: number; removalId: number | null }> {
  return toResult(await closeBroken(db, context, undoWords(undo), end));
}

/**
 * The same within one transaction, for an import of a few thousand contacts. Answers no removal
 * when nothing was left to undo.
 */
export async function undoSmallImport(
  { companions }: Pick<RemovalsContext, 'companions'>,
  tx: TenantTx,
  workspaceId: number,
  undo: Omit<ImportToUndo, 'begin' | 'total'>,
  actor: string,
): Promise<{ removed: number; removalId: number | null }> {
  const removal = await moveToBin(
    tx,
    workspaceId,
    sql`(${isUntouched(undo)}) or (${isCorrected(await undo.correctedIds(tx))})`,
    { kind: 'undo_import', importId: undo.importId, removedBy: actor, why: whyUndone(undo.fileName) },
    companions,
  );
  const result = { removed: removal?.contacts ?? 0, removalId: removal?.id ?? null };
  await recordDone(tx, workspaceId, actor, undoWords(undo), result);
  return result;
}

/** True if undoing an import of this many contacts is done within the call. */
export const isSmallImport = (contacts: number): boolean => contacts <= fewContacts;
