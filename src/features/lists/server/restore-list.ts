import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { restoreGroup } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type List, mostLists } from '../contract.ts';
import { findList } from './find-list.ts';
import { listKind } from './list-kind.ts';

/** Restores a deleted list. One that is not deleted stays as it is. */
export async function restoreList(tx: TenantTx, { workspaceId, email }: Actor, id: number): Promise<List> {
  const group = await restoreGroup(tx, workspaceId, listKind, id, mostLists);
  if (group) {
    const { name } = group;
    const line = { action: 'list.restored', subject: `list:${id}`, details: { name } };
    await recordAudit(tx, workspaceId, { actor: email, ...line });
  }
  return findList(tx, workspaceId, id);
}
