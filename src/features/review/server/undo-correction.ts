import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { carrySuppressions } from '#features/suppressions/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { carryStayingAway } from '#features/tracking/server/index.ts';
import { verifyNow } from '#features/verification/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { TaskContext } from '#platform/server/task-definition.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type CorrectedPart,
  closeCorrection,
  lockCorrection,
  moveAddressesBack,
  movedBack,
  selectCorrected,
} from './correction-queries.ts';
import {
  type CorrectionParts,
  type CorrectionsContext,
  kinds,
  pieceSize,
  type TakenBack,
  type UndoInput,
} from './correction-work.ts';
import { explain, forCaller, forTask } from './patience.ts';

/** Restores the addresses of a correction. Answers the task if that takes long. */
export async function undoCorrection(
  { db, tasks, topics }: CorrectionsContext,
  workspaceId: number,
  caller: Caller,
  correctionId: number,
): Promise<TakenBack | Task> {
  const actor: Actor = { workspaceId, email: caller.email };
  const atOnce = async (tx: TenantTx) => {
    const { contacts } = await needUndoable(tx, workspaceId, correctionId);
    if (contacts > pieceSize) return { contacts };
    const part = await selectCorrected(tx, workspaceId, correctionId, { after: 0, limit: pieceSize });
    const done = await takeBack({ topics }, tx, actor, part);
    await closeUndo(tx, actor, correctionId, done);
    return done;
  };
  const work = (tx: TenantTx) => forCaller(tx, () => atOnce(tx));
  const done = await db.asTenant(workspaceId, work, answersCallWith('restored')).catch(explain);
  if ('restored' in done) return done;
  return tasks.start(workspaceId, kinds.undo, { correctionId, contacts: done.contacts }, caller);
}

async function needUndoable(tx: TenantTx, workspaceId: number, id: number): Promise<{ contacts: number }> {
  const correction = await lockCorrection(tx, workspaceId, id);
  if (!correction) throw new AppError('not_found', 'There is no such correction.');
  if (correction.undoneAt) throw new AppError('conflict', 'This correction was undone already.');
  return correction;
}

/** One transaction's worth of an undo. */
async function takeBack(
  parts: Pick<CorrectionParts, 'topics'>,
  tx: TenantTx,
  actor: Actor,
  part: CorrectedPart,
): Promise<TakenBack> {
  const { workspaceId } = actor;
  const { restored, leftOut } = await moveAddressesBack(tx, workspaceId, part);
  if (restored.contactIds.length > 0) {
    await carrySuppressions(tx, actor, movedBack(workspaceId, restored));
    await carryStayingAway(parts, tx, workspaceId, movedBack(workspaceId, restored));
    await verifyNow(tx, workspaceId, restored.contactIds);
  }
  return { restored: restored.contactIds.length, leftOut };
}

async function closeUndo(tx: TenantTx, actor: Actor, id: number, done: TakenBack): Promise<void> {
  await closeCorrection(tx, actor.workspaceId, id);
  await recordUndo(tx, actor, id, done);
}

const recordUndo = (tx: TenantTx, actor: Actor, id: number, details: Record<string, unknown>) =>
  recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: 'contacts.correction_undone',
    subject: `correction:${id}`,
    details,
  });

interface UndoState extends TakenBack {
  after: number;
  looked: number;
  isDone: boolean;
}

export async function runUndo(parts: CorrectionParts, context: TaskContext<UndoInput>): Promise<TakenBack> {
  const { workspaceId, input, signal, progress } = context;
  let state = (context.state as UndoState | null) ?? {
    ...{ restored: 0, leftOut: 0 },
    ...{ after: 0, looked: 0, isDone: false },
  };
  while (!state.isDone) {
    signal.throwIfAborted();
    progress(state.looked, input.contacts);
    const before: UndoState = state;
    state = await forTask(signal, () =>
      parts.db.asTenant(workspaceId, (tx) => undoPiece(parts, tx, context, before), { signal }),
    );
  }
  progress(input.contacts, input.contacts);
  return { restored: state.restored, leftOut: state.leftOut };
}

async function undoPiece(
  parts: CorrectionParts,
  tx: TenantTx,
  context: TaskContext<UndoInput>,
  state: UndoState,
): Promise<UndoState> {
  const { workspaceId, input, actor: email } = context;
  const { correctionId } = input;
  const actor: Actor = { workspaceId, email: email ?? '' };
  // Adding a piece takes this lock too, so this undo covers every piece.
  await needUndoable(tx, workspaceId, correctionId);
  const { after } = state;
  const part = await selectCorrected(tx, workspaceId, correctionId, { after, limit: pieceSize });
  const last = part.contactIds.at(-1);
  const now = { ...state };
  if (last === undefined) {
    now.isDone = true;
    await closeUndo(tx, actor, correctionId, { restored: state.restored, leftOut: state.leftOut });
  } else {
    const done = await takeBack(parts, tx, actor, part);
    now.restored += done.restored;
    now.leftOut += done.leftOut;
    now.looked += part.contactIds.length;
    now.after = last;
  }
  await context.checkpoint(tx, { ...now });
  return now;
}

/** What was restored stays restored. Another undo can restore the rest. */
export async function breakOffUndo(
  db: Database,
  { workspaceId, input, state, actor, checkpoint }: TaskContext<UndoInput>,
): Promise<TakenBack> {
  if (!state) return { restored: 0, leftOut: 0 };
  const { restored, leftOut, isDone } = state as unknown as UndoState;
  const who: Actor = { workspaceId, email: actor ?? '' };
  if (!isDone)
    await db.asTenant(workspaceId, async (tx) => {
      await recordUndo(tx, who, input.correctionId, { restored, leftOut, brokenOff: true });
      await checkpoint(tx, { ...state, isDone: true });
    });
  return { restored, leftOut };
}
