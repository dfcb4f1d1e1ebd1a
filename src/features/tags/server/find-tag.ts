import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Tag } from '../contract.ts';
import { selectTag, type TagRow } from './queries.ts';

/** One tag as it is shown. Throws `not_found`. */
export async function findTag(tx: TenantTx, workspaceId: number, id: number): Promise<Tag> {
  const row = await selectTag(tx, workspaceId, id);
  if (!row) throw new AppError('not_found', 'This tag is not there any more. Reload the page.');
  return presentTag(row);
}

export const presentTag = ({ createdAt, updatedAt, ...row }: TagRow): Tag => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
