import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostViews, type ViewScreen } from '../contract.ts';
import { countOwn } from './queries.ts';

/** Throws `conflict` when a person has as many views on a screen as they may have. */
export async function refuseTooMany(
  tx: TenantTx,
  workspaceId: number,
  ownerId: number,
  screen: ViewScreen,
): Promise<void> {
  if ((await countOwn(tx, workspaceId, ownerId, screen)) < mostViews) return;
  throw new AppError('conflict', `A person has at most ${mostViews} views. Delete one first.`);
}
