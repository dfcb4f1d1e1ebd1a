import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { GroupKind } from './group-kind.ts';
import { type GroupRow, lockGroup, selectGroups } from './group-queries.ts';

/** A list or a tag that is there. Throws `not_found`. */
export async function needGroup(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<GroupRow> {
  const [group] = await selectGroups(tx, workspaceId, kind, [id]);
  return there(kind, group);
}

/** The same, locked until the transaction ends: nobody deletes it meanwhile. */
export const needLocked = async (
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<GroupRow> => there(kind, await lockGroup(tx, workspaceId, kind, id));

function there({ kind }: GroupKind, group: GroupRow | undefined): GroupRow {
  if (!group) throw new AppError('not_found', `This ${kind} is not there any more. Reload the page.`);
  if (group.deletedAt) throw new AppError('not_found', `The ${kind} “${group.name}” was deleted.`);
  return group;
}
