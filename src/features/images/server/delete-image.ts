import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { needImage } from './present.ts';
import { type AnyImageRow, markDeleted } from './queries.ts';

/** Deletes an image. It can be restored, and its address answers, until a night removes it. */
export async function deleteImage(tx: TenantTx, actor: Actor, id: number): Promise<AnyImageRow> {
  const row = await needImage(tx, actor.workspaceId, id, { lock: true });
  await mark(tx, actor, row, true);
  return row;
}

/** Brings a deleted image back. One that is not deleted stays as it is. */
export async function restoreImage(tx: TenantTx, actor: Actor, id: number): Promise<AnyImageRow> {
  const row = await needImage(tx, actor.workspaceId, id, { lock: true, orDeleted: true });
  if (row.isDeleted) await mark(tx, actor, row, false);
  return row;
}

async function mark(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  { id, name }: AnyImageRow,
  isDeleted: boolean,
): Promise<void> {
  await markDeleted(tx, workspaceId, id, isDeleted);
  const action = isDeleted ? 'image.deleted' : 'image.restored';
  await recordAudit(tx, workspaceId, { actor: email, action, subject: `image:${id}`, details: { name } });
}
