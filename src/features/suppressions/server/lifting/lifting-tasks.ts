import type { TaskContext, TaskDefinition } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { whenFree } from '#platform/server/work/when-free.ts';
import { entriesInWords } from '../../rules.ts';
import type { WorkContext } from '../piecework.ts';
import {
  type Lifted,
  type LiftInput,
  liftInput,
  needUndoable,
  picks,
  tellLifted,
  tellUndone,
  type UndoInput,
  undoInput,
} from './lifting.ts';
import { liftPiece, pieceSize, putBackPiece } from './lifting-pieces.ts';
import {
  closeLifting,
  markUndone,
  openLifting,
  selectKept,
  selectLastEntry,
  selectPicked,
} from './lifting-queries.ts';

/*
 * Liftings, and their undo, that are too large for one transaction. They run in pieces, each with
 * its checkpoint; between two pieces all figures are right and nothing is locked. Entries added
 * after the start are left alone.
 *
 *   begun (the lifting is open) --(piece)--> … --(no more)--> closed
 *                                     \--(cancelled, failed)--> closed with what it has, and can be undone like any other
 */
interface LiftState {
  liftingId: number;
  after: number;
  upTo: number;
  removed: number;
  /** Set once everything is done and reported. */
  result?: Lifted;
}

interface UndoState {
  after: number;
  looked: number;
  restored: number;
  isDone?: boolean;
}

export function liftingTasks({ db }: WorkContext): TaskDefinition[] {
  const lift: TaskDefinition<LiftInput> = {
    kind: 'suppressions.lift',
    input: liftInput,
    title: ({ list, count }) => `Take ${entriesInWords(list, count)} off the suppression list`,
    run: async (context) => ({ ...(await liftInPieces(db, context)) }),
    broken: async (context, { status }) => ({ ...(await closeBroken(db, context, status)) }),
    summary: ({ removed }, { list }) =>
      `${entriesInWords(list, Number(removed ?? 0))} taken off the suppression list.`,
    link: () => '/suppressions',
  };
  const undo: TaskDefinition<UndoInput> = {
    kind: 'suppressions.undo_lifting',
    input: undoInput,
    title: ({ list, count }) => `Put ${entriesInWords(list, count)} back on the suppression list`,
    run: (context) => undoInPieces(db, context),
    broken: (context, { status }) => breakOffUndo(db, context, status),
    summary: ({ restored }, { list }) =>
      `${entriesInWords(list, Number(restored ?? 0))} put back on the suppression list.`,
    link: () => '/suppressions',
  };
  return [lift, undo];
}

async function liftInPieces(db: Database, context: TaskContext<LiftInput>): Promise<Lifted> {
  const { workspaceId, input, signal } = context;
  const where = picks(input.list, input.selection);
  let state = (context.state as LiftState | null) ?? (await beginLifting(db, context));
  while (!state.result) {
    context.progress(state.removed, Math.max(input.count, state.removed));
    const before: LiftState = state;
    const { list } = input;
    const piece = async (tx: TenantTx) => {
      const ids = await selectPicked(tx, workspaceId, list, where, { ...before, limit: pieceSize });
      const next: LiftState = { ...before, after: ids.at(-1) ?? before.upTo };
      if (ids.length === 0) next.result = await endLifting(tx, context, before);
      else next.removed += await liftPiece(tx, workspaceId, list, before.liftingId, ids);
      await context.checkpoint(tx, { ...next });
      return next;
    };
    state = await whenFree(context, () => db.asTenant(workspaceId, piece, { signal }));
  }
  context.progress(state.removed, state.removed);
  return state.result;
}

const beginLifting = (db: Database, context: TaskContext<LiftInput>): Promise<LiftState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input, actor } = context;
    const why = input.selection.reason || null;
    const state: LiftState = {
      liftingId: await openLifting(tx, workspaceId, input.list, { why, liftedBy: actor }),
      after: 0,
      upTo: await selectLastEntry(tx, workspaceId, input.list),
      removed: 0,
    };
    await context.checkpoint(tx, { ...state });
    return state;
  });

async function endLifting(
  tx: Parameters<typeof closeLifting>[0],
  { workspaceId, actor, input }: TaskContext<LiftInput>,
  { liftingId }: LiftState,
  end?: 'failed' | 'cancelled',
): Promise<Lifted> {
  const removed = await closeLifting(tx, workspaceId, liftingId);
  const lifted = { removed, liftingId: removed > 0 ? liftingId : null };
  await tellLifted(tx, workspaceId, actor, { ...input, lifted, isTask: true, ...(end ? { end } : {}) });
  return lifted;
}

/** Entries taken off before the interruption can be put back like the rest. */
async function closeBroken(
  db: Database,
  context: TaskContext<LiftInput>,
  end: 'failed' | 'cancelled',
): Promise<Lifted> {
  const state = context.state as LiftState | null;
  if (!state) return { removed: 0, liftingId: null };
  if (state.result) return state.result;
  return db.asTenant(context.workspaceId, async (tx) => {
    const result = await endLifting(tx, context, state, end);
    await context.checkpoint(tx, { ...state, result });
    return result;
  });
}

async function undoInPieces(db: Database, context: TaskContext<UndoInput>): Promise<{ restored: number }> {
  const { workspaceId, input, actor } = context;
  const { liftingId, list, count } = input;
  let state = (context.state as UndoState | null) ?? (await beginUndo(db, context));
  while (!state.isDone) {
    context.progress(state.looked, count);
    const before: UndoState = state;
    state = await whenFree(context, () =>
      db.asTenant(workspaceId, async (tx) => {
        const ids = await selectKept(tx, workspaceId, liftingId, { ...before, limit: pieceSize });
        const next: UndoState = {
          ...before,
          after: ids.at(-1) ?? before.after,
          looked: before.looked + ids.length,
        };
        if (ids.length > 0) next.restored += await putBackPiece(tx, workspaceId, list, liftingId, ids);
        else {
          next.isDone = true;
          await tellUndone(tx, workspaceId, actor, { ...input, restored: before.restored, isTask: true });
        }
        await context.checkpoint(tx, { ...next });
        return next;
      }),
    );
  }
  context.progress(count, count);
  return { restored: state.restored };
}

/** Claims the lifting, so that it is undone only once. */
const beginUndo = (db: Database, context: TaskContext<UndoInput>): Promise<UndoState> =>
  db.asTenant(context.workspaceId, async (tx) => {
    const { workspaceId, input } = context;
    await needUndoable(tx, workspaceId, input.liftingId);
    await markUndone(tx, workspaceId, input.liftingId, true);
    const state: UndoState = { after: 0, looked: 0, restored: 0 };
    await context.checkpoint(tx, { ...state });
    return state;
  });

/** Entries already put back stay. The rest can be asked for again. */
async function breakOffUndo(
  db: Database,
  context: TaskContext<UndoInput>,
  end: 'failed' | 'cancelled',
): Promise<{ restored: number }> {
  const { workspaceId, input, actor } = context;
  const state = context.state as UndoState | null;
  if (!state) return { restored: 0 };
  const { restored, isDone } = state;
  if (isDone) return { restored };
  await db.asTenant(workspaceId, async (tx) => {
    await markUndone(tx, workspaceId, input.liftingId, false);
    await tellUndone(tx, workspaceId, actor, { ...input, restored, end, isTask: true });
    await context.checkpoint(tx, { ...state, isDone: true });
  });
  return { restored };
}
