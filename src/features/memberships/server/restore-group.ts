import { undoDays } from '#features/tasks/rules/undoable.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type GroupKind, noteGroup } from './group-kind.ts';
import { countGroups, type GroupRow, lockGroup, markDeleted } from './group-queries.ts';

/** Restores a group with the contacts it had. Answers null for one that is not deleted. */
export async function restoreGroup(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
  most: number,
): Promise<GroupRow | null> {
  const group = await lockGroup(tx, workspaceId, kind, id);
  const oldest = Date.now() - undoDays * 86_400_000;
  if (!group || (group.deletedAt && group.deletedAt.getTime() < oldest))
    throw new AppError('not_found', `This ${kind} is not there any more, and cannot be restored.`);
  if (!group.deletedAt) return null;
  await refuseTooMany(tx, workspaceId, kind, most);
  await markDeleted(tx, workspaceId, kind, id, false);
  await noteGroup(tx, workspaceId, kind, id, 'restored');
  return group;
}

/** Throws `conflict` when the workspace has as many as it may. */
export async function refuseTooMany(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  most: number,
): Promise<void> {
  if ((await countGroups(tx, workspaceId, kind)) < most) return;
  throw new AppError('conflict', `A workspace has at most ${most} ${kind.kind}s. Delete one first.`);
}
