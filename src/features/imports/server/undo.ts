import { z } from 'zod';
import { type Bin, closeBrokenUndo, isSmallImport } from '#features/bin/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition, Tasks } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { findImport, type ImportRow, markUndone, unmarkUndone } from './records/record-queries.ts';

/**
 * Undoing an import moves its additions to the bin, unless somebody changed them since. A large
 * undo is a task.
 */
interface UndoContext {
  db: Database;
  tasks: Tasks;
  bin: Bin;
}

type UndoParts = Pick<UndoContext, 'db' | 'bin'>;

const undoInput = z.strictObject({ importId: z.number(), fileName: z.string(), contacts: z.number() });
type UndoInput = z.output<typeof undoInput>;

export type Undone = { removed: number; removalId: number | null };

/** The task that undoes a large import. */
export const undoTask = ({ db, bin }: UndoParts): TaskDefinition<UndoInput> => ({
  kind: 'imports.undo',
  input: undoInput,
  title: ({ fileName, contacts }) => `Undo the import of ${fileName}, ${formatNumber(contacts)} contacts`,
  run: async (context) => ({ ...(await runUndo({ db, bin }, context)) }),
  broken: async (context, { status }) => ({ ...(await breakOff(db, context, status)) }),
  summary: ({ removed }) => `${formatNumber(Number(removed ?? 0))} contacts moved to the bin.`,
  link: (_result, { importId }) => `/imports/${importId}`,
});

/**
 * Removes what an import added and nobody has changed since. Returns the task when that takes long.
 */
export async function undo(
  { db, tasks, bin }: UndoContext,
  workspaceId: number,
  importId: number,
  caller: Caller,
): Promise<Undone | Task> {
  const done = await db.asTenant(workspaceId, async (tx) => {
    const row = await needUndoable(tx, workspaceId, importId);
    if (!isSmallImport(row.imported ?? 0)) return row;
    await claim(tx, workspaceId, importId);
    const added = addedBy(row);
    if (!added) return { removed: 0, removalId: null };
    return bin.undoSmallImport(tx, workspaceId, { importId, fileName: row.fileName, ...added }, caller.email);
  });
  if ('removed' in done) return done;
  const input = { importId, fileName: done.fileName, contacts: done.imported ?? 0 };
  return tasks.start(workspaceId, 'imports.undo', input, caller);
}

async function needUndoable(tx: TenantTx, workspaceId: number, importId: number): Promise<ImportRow> {
  const row = await findImport(tx, workspaceId, importId);
  if (!row) throw new AppError('not_found', 'There is no such import.');
  if (row.status !== 'completed') throw new AppError('conflict', 'Only a completed import can be undone.');
  if (row.undoneAt !== null) throw undoneAlready();
  return row;
}

const undoneAlready = () => new AppError('conflict', 'This import has been undone already.');

/** When two people undo at once, one waits here and then finds it done. */
async function claim(tx: TenantTx, workspaceId: number, importId: number): Promise<void> {
  if (!(await markUndone(tx, workspaceId, importId, null))) throw undoneAlready();
}

function addedBy(row: ImportRow): { firstId: number; lastId: number } | null {
  const { firstContactId, lastContactId } = row;
  return firstContactId === null || lastContactId === null
    ? null
    : { firstId: firstContactId, lastId: lastContactId };
}

async function runUndo({ db, bin }: UndoParts, context: TaskContext<UndoInput>): Promise<Undone> {
  const { workspaceId, input } = context;
  const { importId, fileName, contacts } = input;
  const row = await db.asTenant(workspaceId, (tx) => findImport(tx, workspaceId, importId));
  const added = row && addedBy(row);
  if (!added) return { removed: 0, removalId: null };
  return bin.undoImportInPieces(context, {
    importId,
    fileName,
    ...added,
    total: contacts,
    begin: (tx) => claim(tx, workspaceId, importId),
  });
}

/** Contacts already moved stay in the bin. The rest of the import can be undone later. */
async function breakOff(
  db: Database,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<Undone> {
  const { workspaceId, input, state } = context;
  const undone = await closeBrokenUndo(db, context, input, end);
  if (state) await db.asTenant(workspaceId, (tx) => unmarkUndone(tx, workspaceId, input.importId));
  return undone;
}
