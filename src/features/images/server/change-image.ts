import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import type { changeImage as endpoint } from '../contract.ts';
import { needImage } from './present.ts';
import { type ImageRow, updateImage } from './queries.ts';

/** Renames an image or says what it shows. The same values again leave no trace. */
export async function changeImage(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  wanted: BodyOf<typeof endpoint>,
): Promise<ImageRow> {
  const before = await needImage(tx, workspaceId, id, { lock: true });
  const name = wanted.name ?? before.name;
  const alt = wanted.alt ?? before.alt;
  if (name === before.name && alt === before.alt) return before;
  await updateImage(tx, workspaceId, id, { name, alt });
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'image.changed',
    subject: `image:${id}`,
    details: {
      name: name === before.name ? name : { from: before.name, to: name },
      ...(alt === before.alt ? {} : { alt: { from: before.alt ?? '', to: alt } }),
    },
  });
  return needImage(tx, workspaceId, id);
}
