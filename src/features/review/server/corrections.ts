import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';

import { carrySuppressions } from '#features/suppressions/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext, TaskDefinition, Tasks } from '#features/tasks/server/index.ts';
import { verifyNow } from '#features/verification/server/index.ts';
import { type Database, sqlState, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { WhichCorrections } from '../contract.ts';
import {
  type CorrectedPart,
  closeCorrection,
  lockCorrection,
  moveAddresses,
  moveAddressesBack,
  movedAddresses,
  movedBack,
  selectCorrected,
} from './correction-queries.ts';
import { countHeld, countSuggestions, selectNextPiece, suggestedChanges } from './review-queries.ts';

/*
 * Giving contacts the addresses that were probably meant, and taking that back. Whoever was suppressed stays suppressed, and who
 * a suppression list has under the new address becomes so; taking a correction back leaves the list as it is, for an entry may
 * have been asked for again meanwhile.
 *
 * A few thousand are done within the call. More are a task: one correction, filled in pieces of a transaction each, which can
 * be taken back as a whole, also when it was broken off.
 */
export interface CorrectionsContext {
  db: Database;
  tasks: Tasks;
}

/** Up to so many addresses are changed in one transaction, while which the suppression list cannot be changed. */
const pieceSize = 5000;

/** How often a piece is tried when somebody else is just adding one of its addresses; each time waits up to 10 s. */
const attempts = 6;

const kinds = { accept: 'verification.correct', undo: 'verification.undo-correction' } as const;

const thousands = new Intl.NumberFormat('en-GB');
const addresses = (count: number) => (count === 1 ? '1 address' : `${thousands.format(count)} addresses`);

const acceptInput = z.strictObject({
  pattern: z.strictObject({ from: z.string(), to: z.string() }),
  contacts: z.number(),
});
type AcceptInput = z.output<typeof acceptInput>;
const undoInput = z.strictObject({ correctionId: z.number(), contacts: z.number() });
type UndoInput = z.output<typeof undoInput>;

type Corrected = {
  corrected: number;
  needMerge: number;
  suppressed: number;
  correctionId: number | null;
};
type TakenBack = { restored: number; leftOut: number };

/** This part's long work. */
export function correctionTasks(db: Database): TaskDefinition[] {
  const accept: TaskDefinition<AcceptInput> = {
    kind: kinds.accept,
    input: acceptInput,
    title: ({ contacts, pattern: { from, to } }) => `Correct ${addresses(contacts)}: ${from} to ${to}`,
    run: (context) => runAccept(db, context),
    broken: (context) => breakOffAccept(db, context),
    summary: (result) => {
      const { corrected, needMerge, suppressed } = result as Corrected;
      const verb = (count: number, one: string, many: string) =>
        `${thousands.format(count)} ${count === 1 ? one : many}`;
      const merge =
        needMerge > 0 ? ` ${verb(needMerge, 'has', 'have')} an address that exists already: merge them.` : '';
      const listed = suppressed > 0 ? ` ${verb(suppressed, 'of them is', 'of them are')} suppressed.` : '';
      return `${addresses(corrected)} corrected.${listed}${merge}`;
    },
    link: () => '/review',
  };
  const undo: TaskDefinition<UndoInput> = {
    kind: kinds.undo,
    input: undoInput,
    title: ({ contacts }) => `Undo the correction of ${addresses(contacts)}`,
    run: (context) => runUndo(db, context),
    broken: (context) => breakOffUndo(db, context),
    summary: ({ restored }) =>
      restored === 1 ? '1 address is as before.' : `${addresses(Number(restored ?? 0))} are as before.`,
    link: () => '/review',
  };
  return [accept, undo];
}

/** Changes addresses as suggested; answers the task where that takes long. */
export async function acceptCorrections(
  { db, tasks }: CorrectionsContext,
  workspaceId: number,
  caller: Caller,
  which: WhichCorrections,
): Promise<Corrected | Task> {
  const actor: Actor = { workspaceId, email: caller.email };
  const work = db.asTenant(workspaceId, async (tx) => {
    const asked = await countSuggestions(tx, workspaceId, which);
    if ('pattern' in which && asked > pieceSize) return { pattern: which.pattern, contacts: asked };
    const done = await correct(tx, actor, suggestedChanges(workspaceId, which), null);
    await recordCorrected(tx, actor, which, done);
    return done;
  });
  const done = await work.catch(explain);
  if ('corrected' in done) return done;
  return tasks.start(workspaceId, kinds.accept, done, caller);
}

/** One transaction's worth of a correction. `into`: the correction that this is a further piece of. */
async function correct(
  tx: TenantTx,
  actor: Actor,
  changes: Parameters<typeof moveAddresses>[2],
  into: number | null,
): Promise<Corrected> {
  const { workspaceId } = actor;
  const moved = await moveAddresses(tx, workspaceId, changes, { by: actor.email, into });
  // Counted, and not what is left of those asked for: somebody else may have corrected or removed some of them meanwhile.
  const needMerge = await countHeld(tx, workspaceId, changes);
  if (!moved) return { corrected: 0, needMerge, suppressed: 0, correctionId: into };
  const suppressed = await carrySuppressions(tx, actor, movedAddresses(workspaceId, moved));
  await verifyNow(tx, workspaceId, moved.contactIds);
  return { corrected: moved.contactIds.length, needMerge, suppressed, correctionId: moved.correctionId };
}

/** An address that somebody adds at this very moment is no fault of the product's. */
const isBeingAdded = (error: unknown): boolean =>
  // unique_violation, lock_not_available
  sqlState(error) === '23505' || sqlState(error) === '55P03';

function explain(error: unknown): never {
  if (!isBeingAdded(error)) throw error;
  throw new AppError('conflict', 'One of these addresses is being added at this moment. Try again.', {
    cause: error,
  });
}

/** The same for a piece of a task, which has the time to try again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; left > 0; left--) {
    try {
      return await work();
    } catch (error) {
      if (!isBeingAdded(error)) throw error;
    }
  }
  return work().catch(explain);
}

interface AcceptState extends Corrected {
  /** Suggestions up to this contact have been looked at. */
  after: number;
  looked: number;
  isDone: boolean;
}
const begun: AcceptState = {
  corrected: 0,
  needMerge: 0,
  suppressed: 0,
  correctionId: null,
  after: 0,
  looked: 0,
  isDone: false,
};

/** Where the task is; one begun by a release that did not count all of this has the rest as at the start. */
const stateOf = ({ state }: TaskContext<AcceptInput>): AcceptState => ({
  ...begun,
  ...(state as Partial<AcceptState> | null),
});

async function runAccept(db: Database, context: TaskContext<AcceptInput>): Promise<Corrected> {
  const { workspaceId, input, signal, progress } = context;
  let state = stateOf(context);
  while (!state.isDone) {
    signal.throwIfAborted();
    progress(state.looked, input.contacts);
    const before: AcceptState = state;
    state = await patiently(() => db.asTenant(workspaceId, (tx) => acceptPiece(tx, context, before)));
  }
  progress(input.contacts, input.contacts);
  return resultOf(state);
}

const resultOf = ({ corrected, needMerge, suppressed, correctionId }: AcceptState): Corrected => ({
  ...{ corrected, needMerge, suppressed, correctionId },
});

async function acceptPiece(
  tx: TenantTx,
  context: TaskContext<AcceptInput>,
  state: AcceptState,
): Promise<AcceptState> {
  const { workspaceId, input, actor } = context;
  const { pattern } = input;
  const next = await selectNextPiece(tx, workspaceId, pattern, { after: state.after, limit: pieceSize });
  const isUndone =
    state.correctionId !== null &&
    (await lockCorrection(tx, workspaceId, state.correctionId))?.undoneAt !== null;
  if (next.contacts === 0 || isUndone) {
    const ended = { ...state, isDone: true };
    await recordCorrected(tx, { workspaceId, email: actor ?? '' }, { pattern }, resultOf(ended));
    await context.checkpoint(tx, ended);
    return ended;
  }
  const changes = suggestedChanges(workspaceId, { pattern, piece: { after: state.after, last: next.last } });
  const done = await correct(tx, { workspaceId, email: actor ?? '' }, changes, state.correctionId);
  const now: AcceptState = {
    corrected: state.corrected + done.corrected,
    needMerge: state.needMerge + done.needMerge,
    suppressed: state.suppressed + done.suppressed,
    correctionId: done.correctionId,
    after: next.last,
    looked: state.looked + next.contacts,
    isDone: false,
  };
  await context.checkpoint(tx, { ...now });
  return now;
}

/** What is corrected stays so, and can be taken back. */
async function breakOffAccept(db: Database, context: TaskContext<AcceptInput>): Promise<Corrected> {
  const { workspaceId, actor, input } = context;
  const state = stateOf(context);
  const result = resultOf(state);
  if (!state.isDone) {
    const who: Actor = { workspaceId, email: actor ?? '' };
    await db.asTenant(workspaceId, (tx) => recordCorrected(tx, who, { pattern: input.pattern }, result));
  }
  return result;
}

async function recordCorrected(
  tx: TenantTx,
  actor: Actor,
  which: WhichCorrections,
  { corrected, suppressed, correctionId }: Corrected,
): Promise<void> {
  if (correctionId === null) return;
  const { workspaceId, email } = actor;
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'contacts.corrected',
    subject: `correction:${correctionId}`,
    details: { corrected, suppressed, ...('pattern' in which ? which.pattern : { named: which.ids.length }) },
  });
  const how = 'pattern' in which ? `: ${which.pattern.from} to ${which.pattern.to}` : '';
  await recordActivity(tx, workspaceId, {
    action: 'Addresses Corrected',
    details: `${addresses(corrected)}${how}`,
    status: 'completed',
    icon: 'pencil-check',
    iconColor: 'success',
    actor: email,
    subject: `correction:${correctionId}`,
    link: '/review',
    notify: corrected > pieceSize,
  });
}

/** Puts the addresses of a correction back; answers the task where that takes long. */
export async function undoCorrection(
  { db, tasks }: CorrectionsContext,
  workspaceId: number,
  caller: Caller,
  correctionId: number,
): Promise<TakenBack | Task> {
  const actor: Actor = { workspaceId, email: caller.email };
  const work = db.asTenant(workspaceId, async (tx) => {
    const { contacts } = await needUndoable(tx, workspaceId, correctionId);
    if (contacts > pieceSize) return contacts;
    const part = await selectCorrected(tx, workspaceId, correctionId, { after: 0, limit: pieceSize });
    const done = await takeBack(tx, actor, part);
    await closeUndo(tx, actor, correctionId, done);
    return done;
  });
  const done = await work.catch(explain);
  if (typeof done !== 'number') return done;
  return tasks.start(workspaceId, kinds.undo, { correctionId, contacts: done }, caller);
}

async function needUndoable(tx: TenantTx, workspaceId: number, id: number): Promise<{ contacts: number }> {
  const correction = await lockCorrection(tx, workspaceId, id);
  if (!correction) throw new AppError('not_found', 'There is no such correction.');
  if (correction.undoneAt) throw new AppError('conflict', 'This correction was undone already.');
  return correction;
}

/** One transaction's worth of an undo. */
async function takeBack(tx: TenantTx, actor: Actor, part: CorrectedPart): Promise<TakenBack> {
  const { workspaceId } = actor;
  const { restored, leftOut } = await moveAddressesBack(tx, workspaceId, part);
  if (restored.contactIds.length > 0) {
    await carrySuppressions(tx, actor, movedBack(workspaceId, restored));
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

async function runUndo(db: Database, context: TaskContext<UndoInput>): Promise<TakenBack> {
  const { workspaceId, input, signal, progress } = context;
  let state = (context.state as UndoState | null) ?? {
    ...{ restored: 0, leftOut: 0 },
    ...{ after: 0, looked: 0, isDone: false },
  };
  while (!state.isDone) {
    signal.throwIfAborted();
    progress(state.looked, input.contacts);
    const before: UndoState = state;
    state = await patiently(() => db.asTenant(workspaceId, (tx) => undoPiece(tx, context, before)));
  }
  progress(input.contacts, input.contacts);
  return { restored: state.restored, leftOut: state.leftOut };
}

async function undoPiece(
  tx: TenantTx,
  context: TaskContext<UndoInput>,
  state: UndoState,
): Promise<UndoState> {
  const { workspaceId, input, actor: email } = context;
  const { correctionId } = input;
  const actor: Actor = { workspaceId, email: email ?? '' };
  // Held by whoever adds a piece to the correction too, so what is taken back here is all there is.
  await needUndoable(tx, workspaceId, correctionId);
  const { after } = state;
  const part = await selectCorrected(tx, workspaceId, correctionId, { after, limit: pieceSize });
  const last = part.contactIds.at(-1);
  const now = { ...state };
  if (last === undefined) {
    now.isDone = true;
    await closeUndo(tx, actor, correctionId, { restored: state.restored, leftOut: state.leftOut });
  } else {
    const done = await takeBack(tx, actor, part);
    now.restored += done.restored;
    now.leftOut += done.leftOut;
    now.looked += part.contactIds.length;
    now.after = last;
  }
  await context.checkpoint(tx, { ...now });
  return now;
}

/** What is back stays back; the rest can be taken back by another undo. */
async function breakOffUndo(
  db: Database,
  { workspaceId, input, state, actor }: TaskContext<UndoInput>,
): Promise<TakenBack> {
  const { restored, leftOut } = (state as UndoState | null) ?? { restored: 0, leftOut: 0 };
  const who: Actor = { workspaceId, email: actor ?? '' };
  await db.asTenant(workspaceId, (tx) =>
    recordUndo(tx, who, input.correctionId, { restored, leftOut, brokenOff: true }),
  );
  return { restored, leftOut };
}
