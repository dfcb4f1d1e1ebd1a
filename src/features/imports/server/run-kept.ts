import { refuseUntrue } from '#features/basis/server/index.ts';
import { refuseMissing } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { refuseManyStarts, usualStarts } from '#platform/server/start-limits.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { runImport } from '../contract.ts';
import { chosenGroups } from './chosen-groups.ts';
import type { ImportsContext } from './context.ts';
import { lockKept, queueKept, type ReadingOrder } from './life-queries.ts';
import { needImport } from './records/get-import.ts';
import { type Choices, choicesHashOf, isAsSeen } from './records/seen.ts';
import { countStarts } from './start-queries.ts';
import { type BegunImport, beginImport } from './wait-for-outcome.ts';

type Choice = Partial<BodyOf<typeof runImport>> & { dryRun: boolean };

/**
 * Imports a file that a dry run kept, or tries it again with other choices. Answers with the hash
 * of its choices. Throws `changed_meanwhile` when they are not those that were seen.
 */
export async function runKept(
  context: ImportsContext,
  workspaceId: number,
  importId: number,
  choice: Choice,
): Promise<BegunImport & { choicesHash: string }> {
  await needImport(context, workspaceId, importId);
  let choicesHash = '';
  const begun = await beginImport(context.runner, { workspaceId, id: importId }, async () => {
    await context.db.asTenant(workspaceId, async (tx) => {
      await refuseWhileBusy(context, tx, workspaceId, importId);
      const kept = await lockKept(tx, workspaceId, importId);
      if (!kept) throw noLongerWaiting();
      if (choice.seen && !isAsSeen(kept, choice.seen)) throw changedMeanwhile();
      const order = orderOf(kept, choice);
      if (order.options.basis) refuseUntrue(order.options.basis);
      await refuseMissing(tx, workspaceId, chosenGroups(order.options));
      choicesHash = choicesHashOf(await queueKept(tx, workspaceId, importId, order));
    });
  });
  return { ...begun, choicesHash };
}

/** What is to be done now. Options that do not name the list, the tags or the basis leave them. */
function orderOf(kept: Choices, { options, reading, dryRun }: Choice): ReadingOrder {
  const { listId, tagIds, basis } = kept.options;
  const groups = { ...(listId && { listId }), ...(tagIds && { tagIds }), ...(basis && { basis }) };
  return {
    options: options ? { ...groups, ...options } : kept.options,
    reading: reading ?? kept.reading ?? {},
    dryRun,
  };
}

const changedMeanwhile = () =>
  new AppError('changed_meanwhile', 'Somebody has changed this import meanwhile. Reload the page.');

export const noLongerWaiting = () =>
  new AppError('conflict', 'This file is no longer waiting to be imported. Choose it again.');

/**
 * Refuses to read a kept file again while the workspace's limit of running imports is reached. In
 * the transaction that queues it, so that two cannot both be the last.
 */
async function refuseWhileBusy(
  { limits = usualStarts }: ImportsContext,
  tx: TenantTx,
  workspaceId: number,
  importId: number,
): Promise<void> {
  // No new import starts here, so only the running ones count.
  const of = { createdBy: null, aMinute: limits.aMinute, except: importId };
  refuseManyStarts('imports', limits, await countStarts(tx, workspaceId, of));
}
