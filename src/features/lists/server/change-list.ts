import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { needLocked } from '#features/memberships/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { List } from '../contract.ts';
import { findList } from './find-list.ts';
import { listKind } from './list-kind.ts';
import { updateList } from './queries.ts';

/** Renames or describes a list. The same values again leave no trace. */
export async function changeList(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  wanted: { name?: string | undefined; description?: string | null | undefined },
): Promise<List> {
  await needLocked(tx, workspaceId, listKind, id);
  const before = await findList(tx, workspaceId, id);
  const name = wanted.name ?? before.name;
  const description = wanted.description === undefined ? before.description : wanted.description || null;
  if (name === before.name && description === before.description) return before;
  await updateList(tx, workspaceId, id, { name, description });
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'list.changed',
    subject: `list:${id}`,
    details: {
      name: name === before.name ? name : { from: before.name, to: name },
      ...(description === before.description
        ? {}
        : { description: { from: before.description, to: description } }),
    },
  });
  return findList(tx, workspaceId, id);
}
