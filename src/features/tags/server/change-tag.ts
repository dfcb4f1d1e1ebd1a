import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { refuseChanged } from '#features/memberships/rules/refuse-changed.ts';
import { needLocked, noteGroup } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Tag } from '../contract.ts';
import { storedColor, tagKey } from '../rules.ts';
import { findTag } from './find-tag.ts';
import { updateTag } from './queries.ts';
import { tagKind } from './tag-kind.ts';
import { refuseTaken } from './tag-names.ts';

/**
 * Renames or recolours a tag. The same values again leave no trace. Throws `changed_meanwhile` when
 * the tag is not as it was at `updatedAt`.
 */
export async function changeTag(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  wanted: { name?: string | undefined; color?: string | undefined; updatedAt?: string | undefined },
): Promise<Tag> {
  await needLocked(tx, workspaceId, tagKind, id);
  const before = await findTag(tx, workspaceId, id);
  const name = wanted.name ?? before.name;
  const color = storedColor(wanted.color ?? before.color);
  if (name === before.name && color === before.color) return before;
  refuseChanged(before, wanted.updatedAt);
  await refuseTaken(tx, workspaceId, name, id);
  await updateTag(tx, workspaceId, id, { name, nameKey: tagKey(name), color });
  await noteGroup(tx, workspaceId, tagKind, id, 'changed');
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'tag.changed',
    subject: `tag:${id}`,
    details: {
      name: name === before.name ? name : { from: before.name, to: name },
      ...(color === before.color ? {} : { color: { from: before.color, to: color } }),
    },
  });
  return findTag(tx, workspaceId, id);
}
