import { sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { type Audience, hasId, selectChosen, selectLastId } from '#features/audience/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TaskContext, Tasks } from '#features/tasks/server/index.ts';
import type { Database, Fragment, TenantTx } from '#platform/server/database.ts';
import type { Companions } from './companions.ts';
import { moveIntoRemoval } from './move-to-bin.ts';
import {
  closeRemoval,
  countByReason,
  holdRemovals,
  type IdRange,
  type NewRemoval,
  openRemoval,
} from './removal-queries.ts';
import type { RemovalResult, RemovalWords } from './removal-words.ts';

/*
 * Removes millions of contacts as one removal. It is filled in pieces of a transaction each, every
 * piece with its checkpoint. Between two pieces nothing is locked, the rollups are right, and
 * readers see fewer contacts than before. Contacts added after the work began are left alone, and
 * in a delete those added after the call.
 *
 *   begun (the removal is open) --(piece)--> … --(no more)--> closed
 *                                     \--(cancelled, failed)--> closed with what it has,
 *                                                               restorable like any other
 */

/**
 * Contacts per transaction. Measured at a million contacts: 20,000 take about 0.4 s, the longest
 * that a change of the suppression list waits. Smaller pieces make the whole slower; larger ones
 * make others wait.
 */
const pieceSize = 20_000;

export interface PieceByPiece {
  removal: NewRemoval;
  /** Runs in the transaction that opens the removal, for example to claim what is to be removed. */
  begin?(tx: TenantTx, removalId: number): Promise<void>;
  /** What is removed next, of the contacts after `after`. */
  next(tx: TenantTx, after: number): NextPiece | Promise<NextPiece>;
  /**
   * Those of them, within these ids, that are still to be removed. Asked once nobody else removes
   * or corrects contacts: it may have waited for that. Absent: as `next` says.
   */
  still?(tx: TenantTx, within: IdRange): Promise<Pick<NextPiece, 'chosen' | 'reason'>>;
  /** Only contacts within these ids. */
  between?: { first: number; last: number };
  /** About how many there are. */
  total: number | null;
  /** The wording for it. */
  words: RemovalWords;
}

export interface NextPiece {
  /** True for the contacts `c` to be removed, as far as `upTo`. */
  chosen: Fragment;
  /** Absent: it says so for all of them. */
  upTo?: number;
  /** Why a contact `c` is removed, for a clean. */
  reason?: Fragment;
}

/** What is needed to remove contacts. */
export interface RemovalParts {
  db: Database;
  companions: Companions;
}

/**
 * Removing contacts: a few thousand within the call, more as a task. The caller chooses whether to
 * wait for the task.
 */
export interface RemovalsContext extends RemovalParts {
  tasks: Tasks;
  audience: Audience;
}

interface RemovalState {
  removalId: number;
  after: number;
  upTo: number;
  removed: number;
  /** Set when the removal is closed. Only the announcement is left to do. */
  result?: RemovalResult;
}

type Context = Pick<
  TaskContext<unknown>,
  'workspaceId' | 'actor' | 'state' | 'progress' | 'checkpoint' | 'signal'
>;

const nothing: RemovalResult = { removed: 0, duplicates: 0, invalid: 0, nonUk: 0, removalId: null };

/** Runs or continues a removal piece by piece. For the `run` of a task. */
export async function removePieceByPiece(
  { db, companions }: RemovalParts,
  context: Context,
  work: PieceByPiece,
): Promise<RemovalResult> {
  const { workspaceId, signal } = context;
  let state = (context.state as RemovalState | null) ?? (await begin(db, context, work));
  context.progress(state.removed, work.total);
  while (!state.result) {
    signal.throwIfAborted();
    const next = await db.asTenant(workspaceId, (tx) => removePiece(tx, context, work, state, companions), {
      signal,
    });
    if (next === null) return finish(db, context, work.words, state, 'completed');
    state = next;
  }
  return state.result;
}

async function begin(db: Database, context: Context, work: PieceByPiece): Promise<RemovalState> {
  const { workspaceId } = context;
  return db.asTenant(workspaceId, async (tx) => {
    const removalId = await openRemoval(tx, workspaceId, work.removal);
    await work.begin?.(tx, removalId);
    const { between } = work;
    const state: RemovalState = {
      removalId,
      after: between ? between.first - 1 : 0,
      upTo: between ? between.last : await selectLastId(tx, workspaceId),
      removed: 0,
    };
    await tellOf(tx, context, work.words, removalId, 'in-progress', 'At work');
    await context.checkpoint(tx, { ...state });
    return state;
  });
}

/** Removes one transaction's worth. Null when there is nothing more to remove. */
async function removePiece(
  tx: TenantTx,
  context: Context,
  work: PieceByPiece,
  state: RemovalState,
  companions: Companions,
): Promise<RemovalState | null> {
  const { workspaceId } = context;
  const { after, removalId } = state;
  const { upTo: end = state.upTo, ...found } = await work.next(tx, after);
  const upTo = Math.min(end, state.upTo);
  const ids = await selectChosen(tx, workspaceId, found.chosen, { after, upTo, limit: pieceSize });
  const first = ids[0];
  const last = ids.at(-1);
  if (first === undefined || last === undefined) return upTo < state.upTo ? { ...state, after: upTo } : null;
  await holdRemovals(tx, workspaceId);
  const within = { from: first, to: last };
  const { chosen, reason } = (await work.still?.(tx, within)) ?? found;
  const removed = await moveIntoRemoval(tx, workspaceId, removalId, sql`${hasId(ids)} and (${chosen})`, {
    companions,
    within,
    ...(reason ? { reason } : {}),
  });
  const isAll = ids.length < pieceSize;
  const next = { ...state, after: isAll ? upTo : last, removed: state.removed + removed };
  context.progress(next.removed, work.total);
  await context.checkpoint(tx, next);
  return next;
}

async function finish(
  db: Database,
  context: Context,
  words: RemovalWords,
  state: RemovalState,
  end: 'completed' | 'failed' | 'cancelled',
): Promise<RemovalResult> {
  const { workspaceId } = context;
  return db.asTenant(workspaceId, async (tx) => {
    const counts = await countByReason(tx, workspaceId, state.removalId);
    const closed = await closeRemoval(tx, workspaceId, state.removalId, counts);
    const result = { removed: closed?.contacts ?? 0, ...counts, removalId: closed?.id ?? null };
    await recordAudit(tx, workspaceId, {
      actor: context.actor,
      action: words.audit,
      subject: `removal:${state.removalId}`,
      details: { ...words.auditDetails, ...result, ...(end === 'completed' ? {} : { end }) },
    });
    const said = words.done(result);
    const details =
      end === 'completed' ? said : `${end === 'failed' ? 'Broken off' : 'Cancelled'}. So far ${said}`;
    const status = end === 'failed' ? 'failed' : 'completed';
    await tellOf(tx, context, words, state.removalId, status, details, closed !== null);
    await context.checkpoint(tx, { ...state, result });
    return result;
  });
}

/**
 * Closes a removal that was cancelled or failed, with what it holds. For the `broken` of a task.
 */
export async function closeBroken(
  db: Database,
  context: Context,
  words: RemovalWords,
  end: 'failed' | 'cancelled',
): Promise<RemovalResult> {
  const state = context.state as RemovalState | null;
  if (!state) return nothing;
  return state.result ?? finish(db, context, words, state, end);
}

async function tellOf(
  tx: TenantTx,
  { workspaceId, actor }: Context,
  { action, icon, iconColor }: RemovalWords,
  removalId: number,
  status: 'in-progress' | 'completed' | 'failed',
  details: string,
  isKept = true,
): Promise<void> {
  await recordActivity(tx, workspaceId, {
    action,
    details,
    status,
    icon,
    iconColor: status === 'failed' ? 'error' : iconColor,
    actor,
    subject: `removal:${removalId}`,
    // A removal that removed nothing is not in the bin.
    ...(status === 'in-progress' || !isKept ? {} : { link: `/bin?removal=${removalId}`, notify: true }),
  });
}
