import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { restoreGroup } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { mostTags, type Tag } from '../contract.ts';
import { findTag } from './find-tag.ts';
import { selectNameKey } from './queries.ts';
import { tagKind } from './tag-kind.ts';
import { refuseTaken } from './tag-names.ts';

/** Restores a deleted tag. One that is not deleted stays as it is. */
export async function restoreTag(tx: TenantTx, { workspaceId, email }: Actor, id: number): Promise<Tag> {
  const nameKey = await selectNameKey(tx, workspaceId, id);
  if (nameKey !== undefined) await refuseTaken(tx, workspaceId, nameKey, id);
  const group = await restoreGroup(tx, workspaceId, tagKind, id, mostTags);
  if (group) {
    const { name } = group;
    const line = { action: 'tag.restored', subject: `tag:${id}`, details: { name } };
    await recordAudit(tx, workspaceId, { actor: email, ...line });
  }
  return findTag(tx, workspaceId, id);
}
