import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { List } from '../contract.ts';
import { type ListRow, selectList } from './queries.ts';

/** One list as it is shown. Throws `not_found`. */
export async function findList(tx: TenantTx, workspaceId: number, id: number): Promise<List> {
  const row = await selectList(tx, workspaceId, id);
  if (!row) throw new AppError('not_found', 'This list is not there any more. Reload the page.');
  return presentList(row);
}

export const presentList = ({ countedAt, createdAt, updatedAt, ...row }: ListRow): List => ({
  ...row,
  countedAt: countedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
