import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { refuseTooMany } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type List, mostLists } from '../contract.ts';
import { findList } from './find-list.ts';
import { linkOf, listKind } from './list-kind.ts';
import { insertList } from './queries.ts';

/** Makes a list that people fill. Throws `conflict` when the workspace has as many as it may. */
export async function createList(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  given: { name: string; description?: string | null | undefined; isDynamic: boolean },
): Promise<List> {
  if (given.isDynamic) {
    const message = 'Lists that fill themselves are not there yet. Make one that you fill.';
    throw new AppError('invalid_input', message, { fields: { isDynamic: message } });
  }
  await refuseTooMany(tx, workspaceId, listKind, mostLists);
  const { name } = given;
  const description = given.description || null;
  const id = await insertList(tx, workspaceId, { name, description, createdBy: email });
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'list.created',
    subject: `list:${id}`,
    details: { name, ...(description ? { description } : {}) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'List Created',
    details: name,
    status: 'completed',
    icon: 'list',
    iconColor: 'primary',
    actor: email,
    link: linkOf(id),
  });
  return findList(tx, workspaceId, id);
}
