import { z } from 'zod';
import { contactsInWords } from '#features/contacts/rules.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import { answersCallWith, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { type CleanReason, cleanReasons, usualReasons } from '../../contract.ts';
import type { Companions } from '../companions.ts';
import { moveIntoRemoval } from '../move-to-bin.ts';
import { closeRemoval, countByReason, everyId, type IdRange, openRemoval } from '../removal-queries.ts';
import {
  closeBroken,
  type NextPiece,
  type RemovalParts,
  type RemovalsContext,
  removePieceByPiece,
} from '../removal-tasks.ts';
import { type RemovalResult, type RemovalWords, recordDone } from '../removal-words.ts';
import { planClean } from './clean-count.ts';
import { cleanReason, isToClean, selectEndOfWindow } from './clean-queries.ts';
import type { Judge } from './judge.ts';

/** In a workspace of at most this many contacts, a clean finds what to remove within the call. */
const fewToClean = 50_000;

/** The input of a task that cleans. Without reasons, it removes the usual ones. */
export const cleanInput = z.strictObject({ reasons: z.array(z.enum(cleanReasons)).optional() });

/** What a clean did, and how many contacts stay because an import's own policy let them in. */
export type CleanDone = RemovalResult & { letIn: number };

export const cleanWords: RemovalWords = {
  action: 'Database Cleaned',
  icon: 'sparkles',
  iconColor: 'accent',
  audit: 'contacts.cleaned',
  done: ({ removed, duplicates, invalid, nonUk, letIn = 0 }) =>
    `${contactsInWords(removed)} removed: ${formatNumber(duplicates)} duplicate, ` +
    `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK` +
    (letIn > 0 ? `; ${formatNumber(letIn)} outside your UK setting kept, as their import chose` : ''),
};

/** The words of a clean for other than the usual reasons also name what was chosen. */
const wordsFor = (reasons: readonly CleanReason[] | undefined): RemovalWords =>
  reasons === undefined ? cleanWords : { ...cleanWords, auditDetails: { reasons: reasons.join(', ') } };

/**
 * Removes duplicate, invalid and non-UK contacts by the current settings, or those of the chosen
 * reasons. Answers the task if it takes long.
 */
export async function clean(
  { db, tasks, companions }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  reasons?: readonly CleanReason[],
): Promise<CleanDone | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const { total } = await selectCounts(tx, workspaceId);
      if (total > fewToClean) return null;
      return cleanAtOnce(tx, workspaceId, caller.email, companions, reasons);
    },
    answersCallWith('removed'),
  );
  return done ?? tasks.start(workspaceId, 'contacts.clean', reasons ? { reasons: [...reasons] } : {}, caller);
}

async function cleanAtOnce(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  companions: Companions,
  chosen: readonly CleanReason[] | undefined,
): Promise<CleanDone> {
  const reasons = chosen ?? usualReasons;
  const { emailValidation } = await readSettings(tx, workspaceId);
  const plan = await planClean(tx, workspaceId, emailValidation);
  const id = await openRemoval(tx, workspaceId, { kind: 'clean', removedBy: actor });
  // Not before: that may have waited for somebody who corrects addresses.
  const judged = await judgedIn(tx, plan.judge, everyId, reasons);
  await moveIntoRemoval(tx, workspaceId, id, judged.chosen, { companions, reason: judged.reason });
  const counts = await countByReason(tx, workspaceId, id);
  const closed = await closeRemoval(tx, workspaceId, id, counts);
  const result = {
    removed: closed?.contacts ?? 0,
    ...counts,
    removalId: closed?.id ?? null,
    letIn: plan.keptByImports(reasons),
  };
  await recordDone(tx, workspaceId, actor, wordsFor(chosen), result);
  return result;
}

/** A clean within a task. Maintenance runs it as one of its steps. */
export async function cleanInPieces(
  { db, companions }: RemovalParts,
  context: TaskContext<unknown>,
  chosen?: readonly CleanReason[],
): Promise<CleanDone> {
  const { workspaceId } = context;
  const reasons = chosen ?? usualReasons;
  context.progress(0, null, 'Looking for what to remove');
  const plan = await db.asTenant(workspaceId, async (tx) =>
    planClean(tx, workspaceId, (await readSettings(tx, workspaceId)).emailValidation),
  );
  const letIn = plan.keptByImports(reasons);
  const before = Number(context.state?.removed ?? 0);
  const done = await removePieceByPiece({ db, companions }, context, {
    removal: { kind: 'clean', removedBy: context.actor },
    next: (tx, after) => nextPiece(tx, workspaceId, plan.judge, { after, reasons }),
    still: (tx, within) => judgedIn(tx, plan.judge, within, reasons),
    total: before + plan.counts(reasons).removed,
    words: { ...wordsFor(chosen), done: (result) => cleanWords.done({ ...result, letIn }) },
  });
  return { ...done, letIn };
}

/** Closes a clean that was cancelled or failed. */
export const closeBrokenClean = async (
  db: Database,
  context: TaskContext<unknown>,
  end: 'failed' | 'cancelled',
): Promise<CleanDone> => ({ ...(await closeBroken(db, context, cleanWords, end)), letIn: 0 });

/** Contacts whose addresses are judged in one transaction, before some of them go. */
const judgedAtOnce = 50_000;

/**
 * What goes next. Addresses are judged again for each piece, as far as it reaches: the ids of all
 * that are invalid may be millions, and would have to be sent with each piece.
 */
async function nextPiece(
  tx: TenantTx,
  workspaceId: number,
  judge: Judge,
  { after, reasons }: { after: number; reasons: readonly CleanReason[] },
): Promise<NextPiece> {
  const upTo = judge.isStrict ? await selectEndOfWindow(tx, workspaceId, after, judgedAtOnce) : everyId.to;
  return { ...(await judgedIn(tx, judge, { from: after + 1, to: upTo }, reasons)), upTo };
}

/** Which contacts of a range go by what their addresses are now, and why each does. */
async function judgedIn(tx: TenantTx, judge: Judge, range: IdRange, reasons: readonly CleanReason[]) {
  const judged = await judge.judge(tx, range, reasons);
  return { chosen: isToClean(judged, reasons), reason: cleanReason(judged) };
}
