import { contactsInWords } from '#features/contacts/rules.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { moveIntoRemoval } from '../move-to-bin.ts';
import { closeRemoval, countByReason, openRemoval } from '../removal-queries.ts';
import {
  closeBroken,
  type RemovalParts,
  type RemovalsContext,
  removePieceByPiece,
} from '../removal-tasks.ts';
import { type RemovalResult, type RemovalWords, recordDone } from '../removal-words.ts';
import type { VerdictKeeper } from '../verdict-keeper.ts';
import { type CleanPlan, planClean } from './clean-plan.ts';
import { cleanReason, isToClean } from './clean-queries.ts';

/** In a workspace of at most this many contacts, a clean finds what to remove within the call. */
const fewToClean = 50_000;

export const cleanWords: RemovalWords = {
  action: 'Database Cleaned',
  icon: 'sparkles',
  iconColor: 'accent',
  audit: 'contacts.cleaned',
  done: ({ removed, duplicates, invalid, nonUk }) =>
    `${contactsInWords(removed)} removed: ${formatNumber(duplicates)} duplicate, ` +
    `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK`,
};

/** What `clean` would remove now. It only reads, and blocks nobody. */
export async function previewClean(tx: TenantTx, workspaceId: number): Promise<RemovalResult> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { duplicates, invalid, nonUk } = await planClean(tx, workspaceId, emailValidation);
  return { removed: duplicates + invalid + nonUk, duplicates, invalid, nonUk, removalId: null };
}

/**
 * Removes duplicate, invalid and non-UK contacts by the current settings. Answers the task if it
 * takes long.
 */
export async function clean(
  { db, tasks, verdicts }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
): Promise<RemovalResult | Task> {
  const done = await db.asTenant(workspaceId, async (tx) => {
    const { total } = await selectCounts(tx, workspaceId);
    if (total > fewToClean) return null;
    return cleanAtOnce(tx, workspaceId, caller.email, verdicts);
  });
  return done ?? tasks.start(workspaceId, 'contacts.clean', {}, caller);
}

async function cleanAtOnce(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  verdicts: VerdictKeeper,
): Promise<RemovalResult> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const plan = await planClean(tx, workspaceId, emailValidation);
  const id = await openRemoval(tx, workspaceId, { kind: 'clean', removedBy: actor });
  await moveIntoRemoval(tx, workspaceId, id, isToClean(plan), { verdicts, reason: cleanReason(plan) });
  const counts = await countByReason(tx, workspaceId, id);
  const closed = await closeRemoval(tx, workspaceId, id, counts);
  const result = { removed: closed?.contacts ?? 0, ...counts, removalId: closed?.id ?? null };
  await recordDone(tx, workspaceId, actor, cleanWords, result);
  return result;
}

/** A clean within a task. Maintenance runs it as one of its steps. */
export async function cleanInPieces(
  { db, verdicts }: RemovalParts,
  context: TaskContext<unknown>,
): Promise<RemovalResult> {
  const { workspaceId } = context;
  context.progress(0, null, 'Looking for what to remove');
  const plan = await db.asTenant(workspaceId, async (tx) =>
    planClean(tx, workspaceId, (await readSettings(tx, workspaceId)).emailValidation),
  );
  plan.invalidIds.sort((one, other) => one - other);
  const before = Number(context.state?.removed ?? 0);
  return removePieceByPiece({ db, verdicts }, context, {
    removal: { kind: 'clean', removedBy: context.actor },
    chosen: (after) => isToClean(nextOf(plan, after)),
    reason: (after) => cleanReason(nextOf(plan, after)),
    total: before + plan.duplicates + plan.invalid + plan.nonUk,
    words: cleanWords,
  });
}

/** Closes a clean that was cancelled or failed. */
export const closeBrokenClean = (
  db: Database,
  context: TaskContext<unknown>,
  end: 'failed' | 'cancelled',
): Promise<RemovalResult> => closeBroken(db, context, cleanWords, end);

/**
 * The plan with no more invalid contacts than one piece can hold, so that a million ids need not be
 * sent with each piece.
 */
function nextOf(plan: CleanPlan, after: number): CleanPlan {
  const first = plan.invalidIds.findIndex((id) => id > after);
  return { ...plan, invalidIds: first < 0 ? [] : plan.invalidIds.slice(first, first + 20_000) };
}
