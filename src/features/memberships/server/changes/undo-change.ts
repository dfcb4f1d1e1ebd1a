import { z } from 'zod';
import { holdRemovals } from '#features/bin/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import { undoDays } from '#features/tasks/rules/undoable.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { fewContacts, type MembershipsContext, pieceSize } from '../context.ts';
import { lockGroup } from '../group-queries.ts';
import { forgetAdded, type Looked, putBackRemoved, stretchOf, takeBackAdded } from '../member-queries.ts';
import { needLocked } from '../need-group.ts';
import { kindOf } from '../registered.ts';
import { type ChangeRow, lockChange, markUndone } from './change-queries.ts';
import { tellUndone } from './tell.ts';

/*
 * Undoes an addition: takes out what it added. Or a removal: puts back what it took out. Few within
 * the call, many as a task, whose pieces each have their checkpoint. An undo that broke off can be
 * asked for again.
 */

const undoInput = z.strictObject({ changeId: z.number(), count: z.number() });
type UndoInput = z.output<typeof undoInput>;

interface UndoState {
  after: number;
  undone: number;
  isDone?: boolean;
}

/** Undoes a change. Answers the task if that takes long. */
export async function undoChange(
  context: MembershipsContext,
  workspaceId: number,
  caller: Caller,
  changeId: number,
): Promise<{ undone: number } | Task> {
  const many = await context.db.asTenant(
    workspaceId,
    async (tx) => {
      const change = await needUndoable(tx, workspaceId, changeId);
      if (!isFew(change)) return change.contacts;
      const { changed } = await undoPiece(context, tx, workspaceId, change, { after: 0, limit: fewContacts });
      await finish(context, tx, workspaceId, change, { actor: caller.email, undone: changed });
      return { undone: changed };
    },
    answersCallWith('undone'),
  );
  if (typeof many !== 'number') return many;
  return context.tasks.start(workspaceId, 'memberships.undo', { changeId, count: many }, caller);
}

/**
 * What an addition as a task added is not named, however few they were: they may be anywhere among
 * the members.
 */
const isFew = ({ isRemoval, contacts, contactIds }: ChangeRow): boolean =>
  isRemoval ? contacts <= fewContacts : contactIds !== null;

async function needUndoable(tx: TenantTx, workspaceId: number, id: number): Promise<ChangeRow> {
  const change = await needChange(tx, workspaceId, id);
  if (change.isOpen) {
    throw new AppError(
      'conflict',
      'These contacts are still being added or removed. Wait for the end, or cancel the task.',
    );
  }
  if (change.undoneAt) throw new AppError('conflict', 'This was undone already.');
  if (change.createdAt.getTime() < Date.now() - undoDays * 86_400_000)
    throw new AppError('gone', `This was more than ${undoDays} days ago and cannot be undone any more.`);
  return change;
}

/** The change, locked until the transaction ends. Throws `not_found`. */
async function needChange(tx: TenantTx, workspaceId: number, id: number): Promise<ChangeRow> {
  const change = await lockChange(tx, workspaceId, id);
  if (!change) throw new AppError('not_found', 'There is nothing to undo under this number.');
  return change;
}

/** One transaction's share of an undo. Throws `not_found` when the group was deleted. */
async function undoPiece(
  context: MembershipsContext,
  tx: TenantTx,
  workspaceId: number,
  { id: changeId, kind: name, groupId, isRemoval, contactIds }: ChangeRow,
  { after, limit }: { after: number; limit: number },
): Promise<Looked> {
  const kind = kindOf(context, name);
  await holdRemovals(tx, workspaceId);
  await needLocked(tx, workspaceId, kind, groupId);
  if (isRemoval) return putBackRemoved(tx, workspaceId, kind, { groupId, changeId, limit });
  const of = contactIds ?? { after, limit };
  const taken = await takeBackAdded(tx, workspaceId, kind, { groupId, changeId, of });
  const forgotten = contactIds ?? stretchOf(after, taken, taken.looked < limit);
  await forgetAdded(tx, workspaceId, kind, { groupId, changeId, of: forgotten });
  return taken;
}

async function finish(
  context: MembershipsContext,
  tx: TenantTx,
  workspaceId: number,
  { id, kind: name, groupId }: ChangeRow,
  told: { actor: string | null; undone: number; isTask?: boolean },
): Promise<void> {
  const kind = kindOf(context, name);
  const group = await needLocked(tx, workspaceId, kind, groupId);
  await markUndone(tx, workspaceId, id, { isUndone: true, more: told.undone });
  await tellUndone(tx, workspaceId, told.actor, kind, { ...told, group, changeId: id });
}

export const undoTask = (context: MembershipsContext): TaskDefinition<UndoInput> => ({
  kind: 'memberships.undo',
  input: undoInput,
  title: ({ count }) => `Undo a change of ${contactsInWords(count)} on a list or with a tag`,
  run: async (task) => ({ undone: (await undoInPieces(context, task)).undone }),
  broken: async (task, { status }) => ({ undone: await breakOff(context, task, status) }),
  summary: ({ undone }) => `${contactsInWords(Number(undone ?? 0))} as before.`,
});

async function undoInPieces(context: MembershipsContext, task: TaskContext<UndoInput>): Promise<UndoState> {
  const { workspaceId, input, actor, signal } = task;
  let state = (task.state as UndoState | null) ?? (await begin(context, task));
  while (!state.isDone) {
    signal.throwIfAborted();
    task.progress(state.undone, Math.max(input.count, state.undone));
    const before: UndoState = state;
    state = await context.db.asTenant(
      workspaceId,
      async (tx) => {
        const change = await needChange(tx, workspaceId, input.changeId);
        const range = { after: before.after, limit: pieceSize };
        const { looked, last, changed } = await undoPiece(context, tx, workspaceId, change, range);
        const next: UndoState = { after: last ?? before.after, undone: before.undone + changed };
        if (looked < pieceSize) {
          next.isDone = true;
          await finish(context, tx, workspaceId, change, { actor, undone: next.undone, isTask: true });
        }
        await task.checkpoint(tx, { ...next });
        return next;
      },
      { signal },
    );
  }
  task.progress(state.undone, state.undone);
  return state;
}

/** Claims the change, so that it is undone only once. */
const begin = (
  { db }: Pick<MembershipsContext, 'db'>,
  { workspaceId, input, checkpoint }: TaskContext<UndoInput>,
): Promise<UndoState> =>
  db.asTenant(workspaceId, async (tx) => {
    await needUndoable(tx, workspaceId, input.changeId);
    await markUndone(tx, workspaceId, input.changeId, { isUndone: true });
    const state: UndoState = { after: 0, undone: 0 };
    await checkpoint(tx, { ...state });
    return state;
  });

/** What was put back stays. The rest can be asked for again. Returns how many are as before. */
async function breakOff(
  context: MembershipsContext,
  { workspaceId, input: { changeId }, actor, state, checkpoint }: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<number> {
  const { undone = 0, isDone } = (state ?? {}) as Partial<UndoState>;
  if (!state || isDone) return undone;
  await context.db.asTenant(workspaceId, async (tx) => {
    // It may have broken off because the change is gone, or its list or tag.
    const change = await lockChange(tx, workspaceId, changeId);
    if (change) {
      await markUndone(tx, workspaceId, changeId, { isUndone: false, more: undone });
      const kind = kindOf(context, change.kind);
      const group = await lockGroup(tx, workspaceId, kind, change.groupId);
      if (group)
        await tellUndone(tx, workspaceId, actor, kind, { group, changeId, undone, end, isTask: true });
    }
    await checkpoint(tx, { ...state, isDone: true });
  });
  return undone;
}
