import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { VerificationRun } from '../contract.ts';
import { addProfile, emptyTally } from '../rules.ts';
import { selectProfiles } from './profile-queries.ts';
import { type RunRow, selectRun, selectRuns } from './run-queries.ts';
import { countWaiting } from './verdict-queries.ts';
export async function summarise(tx: TenantTx, workspaceId: number) {
  const tally = emptyTally();
  for (const profile of await selectProfiles(tx, workspaceId))
    if (profile.contacts > 0) addProfile(tally, profile, profile.contacts);
  const { total } = await selectCounts(tx, workspaceId);
  return {
    ...tally,
    ...(await countWaiting(tx, workspaceId)),
    total,
  };
}

export async function listRuns(
  tx: TenantTx,
  workspaceId: number,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: VerificationRun[]; totalCount: number }> {
  const { rows, total } = await selectRuns(tx, workspaceId, { skip: (page - 1) * limit, take: limit });
  return { items: rows.flatMap((row) => presentRun(row) ?? []), totalCount: total };
}

export async function findRun(tx: TenantTx, workspaceId: number, id: number): Promise<VerificationRun> {
  const row = await selectRun(tx, workspaceId, id);
  const run = row && presentRun(row);
  if (!run) throw new AppError('not_found', 'There is no such verification, or it has not ended yet.');
  return run;
}

function presentRun({
  startedAt,
  finishedAt,
  result,
  selection: _,
  ...row
}: RunRow): VerificationRun | undefined {
  if (!result || !finishedAt) return undefined;
  return { ...row, result, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
}
