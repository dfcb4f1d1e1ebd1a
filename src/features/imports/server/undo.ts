import { z } from 'zod';
import { countImportedBases, takeBackImported } from '#features/basis/server/index.ts';
import { type Bin, closeBrokenUndo, holdRemovals, isSmallImport } from '#features/bin/server/index.ts';
import {
  beginTakeBack,
  breakOffTakeBack,
  type TakeBackState,
  takeBackPiece,
} from '#features/memberships/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition, Tasks } from '#features/tasks/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { ImportUndone } from '../contract.ts';
import { undoneInWords } from '../rules/undone-in-words.ts';
import { chosenGroups } from './chosen-groups.ts';
import {
  findCorrected,
  findImport,
  type ImportRow,
  markUndone,
  noTask,
  unmarkUndone,
} from './records/record-queries.ts';

/*
 * Undoing an import moves its additions to the bin, and the contacts that came from its corrected
 * rows, unless somebody changed them since. Whoever
 * stays gets the marketing basis from before, and is then taken off the import's list and its tags.
 * A large undo is a task, and so is one with a list or tags: each of its transactions holds one of
 * them at most, so that it never waits for an import that waits for it.
 *
 *   claimed --(pieces: to the bin)--> removal closed --(pieces: basis, list, tags)--> done
 *        \--(cancelled, failed, at any time)--> what was done stays, and the rest can be undone again
 */
interface UndoContext {
  db: Database;
  tasks: Tasks;
  bin: Bin;
}

type UndoParts = Pick<UndoContext, 'db' | 'bin'>;

const undoInput = z.strictObject({ importId: z.number(), fileName: z.string(), contacts: z.number() });
type UndoInput = z.output<typeof undoInput>;

/** What a checkpoint keeps: what the bin needs, then its result and how far the groups are. */
interface UndoState {
  result?: unknown;
  takeBack?: TakeBackState;
}

/** The task that undoes a large import. */
export const undoTask = ({ db, bin }: UndoParts): TaskDefinition<UndoInput> => ({
  kind: 'imports.undo',
  input: undoInput,
  title: ({ fileName, contacts }) => `Undo the import of ${fileName}, ${formatNumber(contacts)} contacts`,
  run: async (context) => ({ ...(await runUndo({ db, bin }, context)) }),
  broken: async (context, { status }) => ({ ...(await breakOff(db, context, status)) }),
  summary: (result) => undoneInWords(result as Partial<ImportUndone>),
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
): Promise<ImportUndone | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const row = await needUndoable(tx, workspaceId, importId);
      if (!isSmallImport(row.imported ?? 0) || chosenGroups(row.options).length > 0) return row;
      if ((await countImportedBases(tx, workspaceId, importId)) > basesAtOnce) return row;
      // Before the import's record, as the task takes them.
      await holdRemovals(tx, workspaceId);
      await claim(tx, workspaceId, importId, noTask);
      const undo = { importId, fileName: row.fileName, ...addedBy(workspaceId, row) };
      const removed = await bin.undoSmallImport(tx, workspaceId, undo, caller.email);
      while ((await takeBackImported(tx, workspaceId, importId, basesAtOnce)) > 0);
      return { ...removed, takenOut: [] };
    },
    answersCallWith('removed'),
  );
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
async function claim(tx: TenantTx, workspaceId: number, importId: number, taskId: number): Promise<void> {
  if (!(await markUndone(tx, workspaceId, importId, taskId))) throw undoneAlready();
}

/**
 * The range of the contacts that it added, and those from its corrected rows. Nobody has the number
 * 0.
 */
const addedBy = (workspaceId: number, { id, firstContactId, lastContactId }: ImportRow) => ({
  firstId: firstContactId ?? 0,
  lastId: lastContactId ?? 0,
  correctedIds: (tx: TenantTx) => findCorrected(tx, workspaceId, id),
});

async function runUndo({ db, bin }: UndoParts, context: TaskContext<UndoInput>): Promise<ImportUndone> {
  const { workspaceId, input } = context;
  const { importId, fileName, contacts } = input;
  const row = await db.asTenant(workspaceId, (tx) => findImport(tx, workspaceId, importId));
  if (!row) return { removed: 0, removalId: null, takenOut: [] };
  let kept = context.state;
  const noting: TaskContext<UndoInput> = {
    ...context,
    async checkpoint(tx, state) {
      kept = state;
      await context.checkpoint(tx, state);
    },
  };
  const removal = await bin.undoImportInPieces(noting, {
    importId,
    fileName,
    ...addedBy(workspaceId, row),
    total: contacts,
    begin: (tx) => claim(tx, workspaceId, importId, context.taskId),
  });
  await takeBackBases(db, context);
  return { ...removal, takenOut: await takeBack(db, context, row, { ...kept }) };
}

/** Contacts whose basis is taken back in one transaction. */
const basesAtOnce = 20_000;

/** Whoever stays gets the marketing basis from before. Done twice, it does nothing more. */
async function takeBackBases(
  db: Database,
  { workspaceId, input, signal }: TaskContext<UndoInput>,
): Promise<void> {
  const takeSome = async (tx: TenantTx) => {
    await holdRemovals(tx, workspaceId);
    return takeBackImported(tx, workspaceId, input.importId, basesAtOnce);
  };
  for (let looked = 1; looked > 0; ) {
    signal.throwIfAborted();
    looked = await db.asTenant(workspaceId, takeSome, { signal });
  }
}

/** Takes whoever stays off the import's list and its tags. */
async function takeBack(
  db: Database,
  context: TaskContext<UndoInput>,
  row: ImportRow,
  kept: UndoState,
): Promise<ImportUndone['takenOut']> {
  const { workspaceId, signal } = context;
  const work = workOf(row, context);
  let state = kept.takeBack ?? beginTakeBack(work);
  while (!state.isDone) {
    signal.throwIfAborted();
    const before: TakeBackState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        const next = await takeBackPiece(tx, workspaceId, work, before);
        await context.checkpoint(tx, { ...kept, takeBack: next });
        return next;
      },
      { signal },
    );
  }
  return state.takenOut;
}

const workOf = ({ id, options }: ImportRow, { actor }: Pick<TaskContext<unknown>, 'actor'>) => ({
  importId: id,
  groups: chosenGroups(options),
  actor,
});

/** Contacts already moved stay in the bin. The rest of the import can be undone later. */
async function breakOff(
  db: Database,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<ImportUndone> {
  const { workspaceId, input, taskId } = context;
  const undone = await closeBrokenUndo(db, context, input, end);
  const state = context.state as UndoState | null;
  if (!state || state.takeBack?.isDone) return { ...undone, takenOut: state?.takeBack?.takenOut ?? [] };
  const takenOut = await db.asTenant(workspaceId, async (tx) => {
    await unmarkUndone(tx, workspaceId, input.importId, taskId);
    const row = await findImport(tx, workspaceId, input.importId);
    if (!row || !state.takeBack) return [];
    return breakOffTakeBack(tx, workspaceId, workOf(row, context), state.takeBack);
  });
  return { ...undone, takenOut };
}
