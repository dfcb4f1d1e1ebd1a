import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { MembershipsContext } from './context.ts';
import { type GroupKind, noteGroup } from './group-kind.ts';
import { markDeleted } from './group-queries.ts';
import { needLocked } from './need-group.ts';
import { usesOf } from './uses.ts';

/**
 * Deletes a group, and answers what still asks for it. Its contacts stay, and it can be restored.
 */
export async function removeGroup(
  context: MembershipsContext,
  tx: TenantTx,
  { workspaceId, caller }: { workspaceId: number; caller: Caller },
  kind: GroupKind,
  id: number,
) {
  const { name, contacts } = await needLocked(tx, workspaceId, kind, id);
  await markDeleted(tx, workspaceId, kind, id, true);
  await noteGroup(tx, workspaceId, kind, id, 'deleted');
  await recordAudit(tx, workspaceId, {
    actor: caller.email,
    action: `${kind.kind}.deleted`,
    subject: `${kind.kind}:${id}`,
    details: { name, contacts },
  });
  await recordActivity(tx, workspaceId, {
    action: kind.kind === 'list' ? 'List Deleted' : 'Tag Deleted',
    details: name,
    status: 'completed',
    icon: kind.icon,
    iconColor: 'error',
    actor: caller.email,
  });
  return { deleted: 1 as const, usedBy: await usesOf(context, tx, { workspaceId, caller }, kind, id) };
}
