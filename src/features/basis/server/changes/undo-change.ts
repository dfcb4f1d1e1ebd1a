import { z } from 'zod';
import { holdRemovals } from '#features/bin/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { changeDays, isExpired } from '../../rules.ts';
import { type BasisContext, fewContacts, pieceSize } from '../context.ts';
import { holdBases } from '../count-queries.ts';
import { type ChangeRow, lockChange, markUndone } from './change-queries.ts';
import { takeBackPiece, takeOutOfHistory } from './piece-queries.ts';
import { changesLink, tellUndone } from './tell.ts';

/*
 * Takes back what was said of many contacts: a few thousand within the call, more as a task. What a
 * contact had before is put back in the transaction that takes the change away, so nothing is done
 * twice and an undo that broke off can be asked for again.
 */

interface UndoResult {
  undone: number;
  leftAsIs: number;
}

const undoInput = z.strictObject({ changeId: z.number(), count: z.number() });
type UndoInput = z.output<typeof undoInput>;

interface UndoState {
  undone: number;
  isDone?: boolean;
}

/** Takes a change back within this transaction, whole. For changes of few contacts. */
export async function takeBackWhole(tx: TenantTx, workspaceId: number, changeId: number): Promise<number> {
  await holdBases(tx, workspaceId);
  let undone = 0;
  for (let some = pieceSize; some === pieceSize; undone += some)
    some = await takeBackPiece(tx, workspaceId, changeId, pieceSize);
  while ((await takeOutOfHistory(tx, workspaceId, changeId, pieceSize)) === pieceSize);
  return undone;
}

/** Undoes a change. Answers the task if that takes long. */
export async function undoChange(
  { db, tasks }: BasisContext,
  workspaceId: number,
  caller: Caller,
  changeId: number,
): Promise<UndoResult | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      await holdRemovals(tx, workspaceId);
      const { contacts, undone: before } = await needUndoable(tx, workspaceId, changeId);
      const left = contacts - before;
      if (left > fewContacts) return left;
      const undone = await takeBackWhole(tx, workspaceId, changeId);
      const result = { undone, leftAsIs: left - undone };
      await markUndone(tx, workspaceId, changeId, true);
      await tellUndone(tx, workspaceId, caller.email, { changeId, ...result, isTask: false });
      return result;
    },
    answersCallWith('undone'),
  );
  if (typeof done !== 'number') return done;
  return tasks.start(workspaceId, 'basis.undo', { changeId, count: done }, caller);
}

async function needUndoable(tx: TenantTx, workspaceId: number, id: number): Promise<ChangeRow> {
  const change = await lockChange(tx, workspaceId, id);
  if (!change) throw new AppError('not_found', 'There is nothing to undo under this number.');
  if (change.isOpen)
    throw new AppError(
      'conflict',
      'These contacts are still being changed. Wait for the end, or cancel the task.',
    );
  if (change.undoneAt) throw new AppError('conflict', 'This was undone already.');
  if (isExpired(change.createdAt, new Date()))
    throw new AppError(
      'gone',
      `This was said more than ${changeDays} days ago and cannot be undone any more.`,
    );
  return change;
}

export const undoTask = (context: BasisContext): TaskDefinition<UndoInput> => ({
  kind: 'basis.undo',
  input: undoInput,
  title: ({ count }) => `Put the earlier marketing basis of ${contactsInWords(count)} back`,
  run: async (task) => ({ ...(await undoInPieces(context, task)) }),
  broken: async (task, { status }) => ({ ...(await breakOff(context, task, status)) }),
  summary: ({ undone }) =>
    `${contactsInWords(Number(undone ?? 0))} with the marketing basis they had before.`,
  link: () => changesLink,
});

async function undoInPieces({ db }: BasisContext, context: TaskContext<UndoInput>): Promise<UndoResult> {
  const { workspaceId, input, actor, signal } = context;
  const { changeId, count } = input;
  let state = (context.state as UndoState | null) ?? (await begin({ db }, context));
  while (!state.isDone) {
    signal.throwIfAborted();
    context.progress(state.undone, Math.max(count, state.undone));
    const before: UndoState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        await holdRemovals(tx, workspaceId);
        await holdBases(tx, workspaceId);
        const some = await takeBackPiece(tx, workspaceId, changeId, pieceSize);
        const next: UndoState = { undone: before.undone + some };
        if (some === 0 && (await takeOutOfHistory(tx, workspaceId, changeId, pieceSize)) < pieceSize) {
          next.isDone = true;
          await tellUndone(tx, workspaceId, actor, { changeId, ...resultOf(next, count), isTask: true });
        }
        await context.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  return resultOf(state, count);
}

const resultOf = ({ undone }: UndoState, count: number): UndoResult => ({
  undone,
  leftAsIs: Math.max(0, count - undone),
});

/** Claims the change, so that it is undone only once. */
const begin = ({ db }: Pick<BasisContext, 'db'>, context: TaskContext<UndoInput>): Promise<UndoState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input } = context;
    await needUndoable(tx, workspaceId, input.changeId);
    await markUndone(tx, workspaceId, input.changeId, true);
    const state: UndoState = { undone: 0 };
    await context.checkpoint(tx, { ...state });
    return state;
  });

/** What was put back stays. The rest can be asked for again. */
async function breakOff(
  { db }: BasisContext,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<UndoResult> {
  const { workspaceId, input, actor } = context;
  const state = context.state as UndoState | null;
  if (!state) return { undone: 0, leftAsIs: 0 };
  const result = resultOf(state, input.count);
  if (state.isDone) return result;
  await db.asTenant(workspaceId, async (tx) => {
    await markUndone(tx, workspaceId, input.changeId, false);
    await tellUndone(tx, workspaceId, actor, { changeId: input.changeId, ...result, end, isTask: true });
  });
  return result;
}
