import { z } from 'zod';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { changeDays, isExpired } from '../rules.ts';
import { type ChangeRow, lockChange, markUndone } from './change-queries.ts';
import { type FieldChangesContext, fewContacts } from './context.ts';
import { undoPiece } from './pieces.ts';
import { changesLink, tellUndone } from './tell.ts';

/*
 * Gives contacts their old values back: a few thousand within the call, more as a task. What was
 * kept of a contact is forgotten in the transaction that puts it back, so nothing is done twice and
 * an undo that broke off can be asked for again.
 */

interface UndoResult {
  undone: number;
  leftAsIs: number;
}

const undoInput = z.strictObject({ changeId: z.number(), count: z.number() });
type UndoInput = z.output<typeof undoInput>;

interface UndoState {
  looked: number;
  undone: number;
  isDone?: boolean;
}

const resultOf = ({ looked, undone }: UndoState): UndoResult => ({ undone, leftAsIs: looked - undone });

/** Undoes a change. Answers the task if that takes long. */
export async function undoChange(
  { db, tasks }: FieldChangesContext,
  workspaceId: number,
  caller: Caller,
  changeId: number,
): Promise<UndoResult | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const change = await needUndoable(tx, workspaceId, changeId);
      const left = change.contacts - change.undone;
      if (left > fewContacts) return left;
      const result = resultOf(await undoPiece(tx, workspaceId, changeId));
      await markUndone(tx, workspaceId, changeId, true);
      await tellUndone(tx, workspaceId, caller.email, { changeId, ...result, isTask: false });
      return result;
    },
    answersCallWith('undone'),
  );
  if (typeof done !== 'number') return done;
  return tasks.start(workspaceId, 'contacts.undo_set_fields', { changeId, count: done }, caller);
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
      `This was changed more than ${changeDays} days ago, and the old values are not kept any more.`,
    );
  return change;
}

export const undoTask = (context: FieldChangesContext): TaskDefinition<UndoInput> => ({
  kind: 'contacts.undo_set_fields',
  input: undoInput,
  title: ({ count }) => `Put the old values of ${contactsInWords(count)} back`,
  run: async (task) => ({ ...(await undoInPieces(context, task)) }),
  broken: async (task, { status }) => ({ ...(await breakOff(context, task, status)) }),
  summary: ({ undone }) => `${contactsInWords(Number(undone ?? 0))} with the old values again.`,
  link: () => changesLink,
});

async function undoInPieces(
  { db }: FieldChangesContext,
  context: TaskContext<UndoInput>,
): Promise<UndoResult> {
  const { workspaceId, input, actor, signal } = context;
  const { changeId, count } = input;
  let state = (context.state as UndoState | null) ?? (await begin({ db }, context));
  while (!state.isDone) {
    signal.throwIfAborted();
    context.progress(state.looked, Math.max(count, state.looked));
    const before: UndoState = state;
    state = await db.asTenant(
      workspaceId,
      async (tx) => {
        const { looked, undone } = await undoPiece(tx, workspaceId, changeId);
        const next: UndoState = { looked: before.looked + looked, undone: before.undone + undone };
        if (looked === 0) {
          next.isDone = true;
          await tellUndone(tx, workspaceId, actor, { changeId, ...resultOf(next), isTask: true });
        }
        await context.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  context.progress(state.looked, state.looked);
  return resultOf(state);
}

/** Claims the change, so that it is undone only once. */
const begin = (
  { db }: Pick<FieldChangesContext, 'db'>,
  context: TaskContext<UndoInput>,
): Promise<UndoState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input } = context;
    await needUndoable(tx, workspaceId, input.changeId);
    await markUndone(tx, workspaceId, input.changeId, true);
    const state: UndoState = { looked: 0, undone: 0 };
    await context.checkpoint(tx, { ...state });
    return state;
  });

/** What was put back stays. The rest can be asked for again. */
async function breakOff(
  { db }: FieldChangesContext,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<UndoResult> {
  const { workspaceId, input, actor } = context;
  const state = context.state as UndoState | null;
  if (!state) return { undone: 0, leftAsIs: 0 };
  const result = resultOf(state);
  if (state.isDone) return result;
  await db.asTenant(workspaceId, async (tx) => {
    await markUndone(tx, workspaceId, input.changeId, false);
    await tellUndone(tx, workspaceId, actor, { changeId: input.changeId, ...result, end, isTask: true });
  });
  return result;
}
