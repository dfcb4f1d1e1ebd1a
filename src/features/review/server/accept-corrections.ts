import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { carrySuppressions } from '#features/suppressions/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { carryStayingAway } from '#features/tracking/server/index.ts';
import { verifyNow } from '#features/verification/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { TaskContext } from '#platform/server/task-definition.ts';
import type { AcceptedCorrections } from '../contract.ts';
import { lockCorrection, moveAddresses, movedAddresses } from './correction-queries.ts';
import {
  type AcceptInput,
  addresses,
  type Corrected,
  type CorrectionParts,
  type CorrectionsContext,
  kinds,
  patternsInWords,
  patternsOf,
  pieceSize,
} from './correction-work.ts';
import { explain, forCaller, forTask } from './patience.ts';
import { countHeld, countSuggestions, selectNextPiece, suggestedChanges } from './review-queries.ts';

/** Changes addresses as suggested. Answers the task if that takes long. */
export async function acceptCorrections(
  { db, tasks, topics }: CorrectionsContext,
  workspaceId: number,
  caller: Caller,
  which: AcceptedCorrections,
): Promise<Corrected | Task> {
  const actor: Actor = { workspaceId, email: caller.email };
  const atOnce = async (tx: TenantTx) => {
    const asked = await countSuggestions(tx, workspaceId, which);
    if (!('ids' in which) && asked > pieceSize) return { ...which, contacts: asked };
    const done = await correct({ topics }, tx, actor, suggestedChanges(workspaceId, which), null);
    await recordCorrected(tx, actor, which, done);
    return done;
  };
  const work = (tx: TenantTx) => forCaller(tx, () => atOnce(tx));
  const done = await db.asTenant(workspaceId, work, answersCallWith('corrected')).catch(explain);
  if ('corrected' in done) return done;
  return tasks.start(workspaceId, kinds.accept, done, caller);
}

/** One transaction's worth of a correction. `into` is the correction that this piece belongs to. */
async function correct(
  parts: Pick<CorrectionParts, 'topics'>,
  tx: TenantTx,
  actor: Actor,
  changes: Parameters<typeof moveAddresses>[2],
  into: number | null,
): Promise<Corrected> {
  const { workspaceId } = actor;
  const moved = await moveAddresses(tx, workspaceId, changes, { by: actor.email, into });
  // Counted rather than derived from what was asked for, because somebody else may have corrected
  // or removed some of them meanwhile.
  const needMerge = await countHeld(tx, workspaceId, changes);
  if (!moved) return { corrected: 0, needMerge, suppressed: 0, correctionId: into };
  const suppressed = await carrySuppressions(tx, actor, movedAddresses(workspaceId, moved));
  await carryStayingAway(parts, tx, workspaceId, movedAddresses(workspaceId, moved));
  await verifyNow(tx, workspaceId, moved.contactIds);
  return { corrected: moved.contactIds.length, needMerge, suppressed, correctionId: moved.correctionId };
}

interface AcceptState extends Corrected {
  /** Which of the patterns it is at, from 0. */
  at: number;
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
  at: 0,
  after: 0,
  looked: 0,
  isDone: false,
};

/** Where the task is. Fields that an older release did not count start at their initial values. */
const stateOf = ({ state }: TaskContext<AcceptInput>): AcceptState => ({
  ...begun,
  ...(state as Partial<AcceptState> | null),
});

export async function runAccept(
  parts: CorrectionParts,
  context: TaskContext<AcceptInput>,
): Promise<Corrected> {
  const { workspaceId, input, signal, progress } = context;
  let state = stateOf(context);
  while (!state.isDone) {
    signal.throwIfAborted();
    progress(state.looked, input.contacts);
    const before: AcceptState = state;
    state = await forTask(signal, () =>
      parts.db.asTenant(workspaceId, (tx) => acceptPiece(parts, tx, context, before), { signal }),
    );
  }
  progress(input.contacts, input.contacts);
  return resultOf(state);
}

const resultOf = ({ corrected, needMerge, suppressed, correctionId }: AcceptState): Corrected => ({
  ...{ corrected, needMerge, suppressed, correctionId },
});

async function acceptPiece(
  parts: CorrectionParts,
  tx: TenantTx,
  context: TaskContext<AcceptInput>,
  state: AcceptState,
): Promise<AcceptState> {
  const { workspaceId, input, actor } = context;
  const pattern = patternsOf(input)[state.at];
  const isUndone =
    state.correctionId !== null &&
    (await lockCorrection(tx, workspaceId, state.correctionId))?.undoneAt !== null;
  if (!pattern || isUndone) {
    const ended = { ...state, isDone: true };
    await recordCorrected(tx, { workspaceId, email: actor ?? '' }, whichOf(input), resultOf(ended));
    await context.checkpoint(tx, ended);
    return ended;
  }
  const next = await selectNextPiece(tx, workspaceId, pattern, { after: state.after, limit: pieceSize });
  if (next.contacts === 0) {
    const nextPattern = { ...state, at: state.at + 1, after: 0 };
    await context.checkpoint(tx, nextPattern);
    return nextPattern;
  }
  const changes = suggestedChanges(workspaceId, { pattern, piece: { after: state.after, last: next.last } });
  const done = await correct(parts, tx, { workspaceId, email: actor ?? '' }, changes, state.correctionId);
  const now: AcceptState = {
    corrected: state.corrected + done.corrected,
    needMerge: state.needMerge + done.needMerge,
    suppressed: state.suppressed + done.suppressed,
    correctionId: done.correctionId,
    at: state.at,
    after: next.last,
    looked: state.looked + next.contacts,
    isDone: false,
  };
  await context.checkpoint(tx, { ...now });
  return now;
}

/** Corrected contacts stay corrected, and can be undone. */
export async function breakOffAccept(db: Database, context: TaskContext<AcceptInput>): Promise<Corrected> {
  const { workspaceId, actor, input } = context;
  const state = stateOf(context);
  const result = resultOf(state);
  if (!state.isDone) {
    const who: Actor = { workspaceId, email: actor ?? '' };
    await db.asTenant(workspaceId, async (tx) => {
      await recordCorrected(tx, who, whichOf(input), result);
      await context.checkpoint(tx, { ...state, isDone: true });
    });
  }
  return result;
}

const whichOf = (input: AcceptInput): AcceptedCorrections =>
  'pattern' in input ? { pattern: input.pattern } : { patterns: input.patterns };

async function recordCorrected(
  tx: TenantTx,
  actor: Actor,
  which: AcceptedCorrections,
  { corrected, suppressed, correctionId }: Corrected,
): Promise<void> {
  if (correctionId === null) return;
  const { workspaceId, email } = actor;
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'contacts.corrected',
    subject: `correction:${correctionId}`,
    details: { corrected, suppressed, ...detailsOf(which) },
  });
  const how = 'ids' in which ? '' : `: ${patternsInWords(patternsOf(which))}`;
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

const detailsOf = (which: AcceptedCorrections) =>
  'ids' in which
    ? { named: which.ids.length }
    : 'pattern' in which
      ? which.pattern
      : { patterns: which.patterns.length };
