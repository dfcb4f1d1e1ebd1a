import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { noteGroup, refuseTooMany } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostTags, type Tag } from '../contract.ts';
import { storedColor, tagKey } from '../rules.ts';
import { findTag } from './find-tag.ts';
import { insertTag, selectNamed } from './queries.ts';
import { linkOf, tagKind } from './tag-kind.ts';
import { taken } from './tag-names.ts';

/** Makes a tag. Throws `already_exists` when there is one of the name, or `conflict`. */
export async function createTag(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  { name, color: given }: { name: string; color: string },
): Promise<Tag> {
  await refuseTooMany(tx, workspaceId, tagKind, mostTags);
  const nameKey = tagKey(name);
  const color = storedColor(given);
  const id = await insertTag(tx, workspaceId, { name, nameKey, color, createdBy: email });
  if (id === undefined) {
    const other = await selectNamed(tx, workspaceId, nameKey);
    throw other ? taken(other) : new AppError('conflict', 'Somebody is changing this tag. Try again.');
  }
  await noteGroup(tx, workspaceId, tagKind, id, 'created');
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'tag.created',
    subject: `tag:${id}`,
    details: { name, color },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Tag Created',
    details: name,
    status: 'completed',
    icon: 'tag',
    iconColor: 'primary',
    actor: email,
    link: linkOf(id),
  });
  return findTag(tx, workspaceId, id);
}
