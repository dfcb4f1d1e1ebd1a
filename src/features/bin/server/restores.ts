import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { whenFree } from '#platform/server/work/when-free.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Restored } from '../contract.ts';
import { restoredInWords } from '../rules/restored-in-words.ts';
import { findRemoval } from './bin-queries.ts';
import type { Companions } from './companions.ts';
import {
  countInBin,
  holdRemovals,
  type IdRange,
  lockRemoval,
  markRestoring,
  type Removal,
  selectInBin,
  unmarkRestoring,
} from './removal-queries.ts';
import type { RemovalParts, RemovalsContext } from './removal-tasks.ts';
import { fewContacts } from './removal-words.ts';
import { takeFromBin } from './take-from-bin.ts';

/** Restores removals from the bin: a few thousand contacts within the call, more as a task. */

/**
 * Contacts per transaction. Whoever adds a contact meanwhile waits for a piece to end; with 20,000
 * that was half a second and more.
 */
const pieceOfBin = 5_000;

const restoreInput = z.strictObject({ removalId: z.number(), count: z.number() });
type RestoreInput = z.output<typeof restoreInput>;

/** Restoring as long work. */
export function restoreTask({ db, companions }: RemovalParts): TaskDefinition<RestoreInput> {
  return {
    kind: 'contacts.restore',
    input: restoreInput,
    title: ({ count }) => `Bring back ${contactsInWords(count)}`,
    run: async (context) => ({ ...(await runRestore({ db, companions }, context)) }),
    broken: (context) => breakOffRestore(db, context),
    summary: (result) => `${restoredInWords(result)}.`,
    link: () => '/email-database',
  };
}

/** Restores a removal. Answers the task if that takes long. */
export async function restore(
  { db, tasks, companions }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  removalId: number,
): Promise<Restored | Task> {
  const many = await db.asTenant(
    workspaceId,
    async (tx) => {
      const removal = await needRestorable(tx, workspaceId, removalId);
      const count = removal.contacts - removal.restored;
      if (count > fewContacts) return count;
      const restored = await bringBack(tx, workspaceId, removalId, companions);
      const done = { restored, leftOut: await countInBin(tx, workspaceId, removalId) };
      await recordRestored(tx, workspaceId, caller.email, removalId, done, false);
      return done;
    },
    answersCallWith('restored'),
  );
  if (typeof many !== 'number') return many;
  return tasks.start(workspaceId, 'contacts.restore', { removalId, count: many }, caller);
}

/**
 * Takes contacts, or a range of them, out of the bin and answers how many. Their verdicts were
 * deleted with them, so they get new ones if the workspace has verdicts at all.
 */
async function bringBack(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  companions: Companions,
  range?: IdRange,
): Promise<number> {
  const ids = await takeFromBin(tx, workspaceId, removalId, companions, range);
  if (ids.length > 0) await companions.verdicts.judge(tx, workspaceId, ids);
  return ids.length;
}

async function needRestorable(tx: TenantTx, workspaceId: number, removalId: number): Promise<Removal> {
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  // Asked first, because whoever is removing them holds the removals.
  if ((await findRemoval(tx, workspaceId, removalId))?.isOpen) {
    throw new AppError(
      'conflict',
      'These contacts are still being removed. Wait for the end, or cancel the task.',
    );
  }
  // Before the removal's row, as whoever undoes a merge takes them. And nobody empties the bin
  // meanwhile.
  await holdRemovals(tx, workspaceId);
  const removal = await lockRemoval(tx, workspaceId, removalId, binDays);
  if (!removal) throw new AppError('not_found', 'There is no such removal.');
  if (removal.isRestoring) throw new AppError('conflict', 'This is being restored already.');
  if (removal.restoredAt && removal.isEmpty) throw new AppError('conflict', 'This was restored already.');
  if (removal.isExpired) {
    throw new AppError(
      'gone',
      `This was removed more than ${binDays} days ago and cannot be restored any more.`,
    );
  }
  return removal;
}

interface RestoreState {
  restored: number;
  /** Set when it is done. Absent also in work that an earlier version ended. */
  leftOut?: number;
  looked: number;
  /** The contact after which it goes on. Absent in work that an earlier version began. */
  after?: number;
  /** Set when it is done and has been announced. */
  isDone?: boolean;
}

async function runRestore(
  { db, companions }: RemovalParts,
  context: TaskContext<RestoreInput>,
): Promise<Restored> {
  const { workspaceId, taskId, input, checkpoint, progress, signal } = context;
  const { removalId, count } = input;
  let state = context.state as unknown as RestoreState | null;
  if (!state) {
    const begun: RestoreState = { restored: 0, looked: 0 };
    await db.asTenant(workspaceId, async (tx) => {
      await needRestorable(tx, workspaceId, removalId);
      await markRestoring(tx, workspaceId, removalId, taskId);
      await checkpoint(tx, { ...begun });
    });
    state = begun;
  }
  while (!state.isDone) {
    const before: RestoreState = state;
    progress(before.looked, count);
    state = await whenFree(context, () =>
      db.asTenant(workspaceId, (tx) => restorePiece(tx, context, before, companions), { signal }),
    );
  }
  progress(count, count);
  return { restored: state.restored, leftOut: state.leftOut ?? 0 };
}

/** Restores one transaction's worth, or ends the work when nothing is left. */
async function restorePiece(
  tx: TenantTx,
  { workspaceId, taskId, input, checkpoint, actor }: TaskContext<RestoreInput>,
  state: RestoreState,
  companions: Companions,
): Promise<RestoreState> {
  const { removalId, count } = input;
  const range = await selectInBin(tx, workspaceId, removalId, { after: state.after ?? 0, limit: pieceOfBin });
  const next = { ...state };
  if (range === null) {
    next.isDone = true;
    next.leftOut = await countInBin(tx, workspaceId, removalId);
    await unmarkRestoring(tx, workspaceId, removalId, taskId);
    const done = { restored: next.restored, leftOut: next.leftOut };
    await recordRestored(tx, workspaceId, actor ?? '', removalId, done, true);
  } else {
    next.restored += await bringBack(tx, workspaceId, removalId, companions, range);
    next.after = range.to;
    next.looked = Math.min(count, next.looked + pieceOfBin);
  }
  await checkpoint(tx, { ...next });
  return next;
}

/** What came back stays. What is left in the bin can be restored later. */
async function breakOffRestore(
  db: Database,
  context: TaskContext<RestoreInput>,
): Promise<{ restored: number; leftOut?: number }> {
  const { workspaceId, taskId, input, actor } = context;
  const state = context.state as unknown as RestoreState | null;
  if (!state) return { restored: 0 };
  const { restored, leftOut } = state;
  if (state.isDone) return { restored, ...(leftOut !== undefined && { leftOut }) };
  await db.asTenant(workspaceId, async (tx) => {
    await unmarkRestoring(tx, workspaceId, input.removalId, taskId);
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'contacts.restored',
      subject: `removal:${input.removalId}`,
      details: { restored, brokenOff: true },
    });
    await context.checkpoint(tx, { ...state, isDone: true });
  });
  return { restored };
}

/** People are told of a task under the bell. When nothing came back, there is nothing to tell. */
async function recordRestored(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  removalId: number,
  done: Restored,
  isTask: boolean,
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.restored',
    subject: `removal:${removalId}`,
    details: { ...done },
  });
  if (done.restored === 0) return;
  await recordActivity(tx, workspaceId, {
    action: 'Contacts Restored',
    details: restoredInWords(done),
    status: 'completed',
    icon: 'restore',
    iconColor: 'success',
    actor,
    link: '/email-database',
    notify: isTask,
  });
}
