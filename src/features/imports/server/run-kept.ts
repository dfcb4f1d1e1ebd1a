import { refuseUntrue } from '#features/basis/server/index.ts';
import { refuseMissing } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { refuseManyStarts, usualStarts } from '#platform/server/start-limits.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { ImportOptions, ReadingChoice } from '../contract.ts';
import { chosenGroups } from './chosen-groups.ts';
import type { ImportsContext } from './context.ts';
import { queueKept } from './life-queries.ts';
import { needImport } from './records/get-import.ts';
import { countStarts } from './start-queries.ts';
import { type BegunImport, beginImport } from './wait-for-outcome.ts';

/** Imports a file that a dry run kept, or tries it again with other choices. */
export async function runKept(
  context: ImportsContext,
  workspaceId: number,
  importId: number,
  choice: { options?: ImportOptions | undefined; reading?: ReadingChoice | undefined; dryRun: boolean },
): Promise<BegunImport> {
  const row = await needImport(context, workspaceId, importId);
  if (row.status !== 'checked' || row.fileKey === null) throw noLongerWaiting();
  const order = {
    options: choice.options ?? row.options,
    reading: choice.reading ?? row.reading ?? {},
    dryRun: choice.dryRun,
  };
  return beginImport(context.runner, { workspaceId, id: importId }, async () => {
    await context.db.asTenant(workspaceId, async (tx) => {
      if (order.options.basis) refuseUntrue(order.options.basis);
      await refuseMissing(tx, workspaceId, chosenGroups(order.options));
      await refuseWhileBusy(context, tx, workspaceId, importId);
      if (!(await queueKept(tx, workspaceId, importId, order))) throw noLongerWaiting();
    });
  });
}

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
