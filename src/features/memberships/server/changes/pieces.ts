import { holdRemovals } from '#features/bin/server/index.ts';
import type { memberSources } from '#features/contacts/contract.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { GroupKind } from '../group-kind.ts';
import type { GroupRow } from '../group-queries.ts';
import { addMembers, type LookedToAdd, removeMembers } from '../member-queries.ts';
import { needLocked } from '../need-group.ts';

/** What is done to a group. */
export interface Asked {
  groupId: number;
  isRemoval: boolean;
  source: (typeof memberSources)[number];
  changeId: number;
}

/**
 * One transaction's share of a change. It takes the removals' lock first, as all do that count
 * contacts. Throws `not_found` when the group was deleted meanwhile.
 */
export async function changePiece(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, isRemoval, source, changeId }: Asked,
  { chosen, isKept }: { chosen: Fragment; isKept: boolean },
): Promise<LookedToAdd & { group: GroupRow; ids: number[] | null }> {
  await holdRemovals(tx, workspaceId);
  const group = await needLocked(tx, workspaceId, kind, groupId);
  const piece = { groupId, chosen };
  if (isRemoval) {
    const done = await removeMembers(tx, workspaceId, kind, { ...piece, changeId });
    return { ...done, leftOut: 0, group, ids: null };
  }
  const done = await addMembers(tx, workspaceId, kind, { ...piece, source, sourceId: changeId, isKept });
  return { ...done, group };
}
