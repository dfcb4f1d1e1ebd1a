import { recordActivity } from '#features/activities/server/index.ts';
import { hasId } from '#features/audience/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { findContact } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Companions } from './companions.ts';
import { moveToBin } from './move-to-bin.ts';
/** Moves one contact to the bin. */
export async function removeOne(
  tx: TenantTx,
  actor: Actor,
  id: number,
  companions: Companions,
): Promise<{ removed: number; removalId: number }> {
  const { workspaceId } = actor;
  const contact = await findContact(tx, workspaceId, id);
  const removal = await moveToBin(
    tx,
    workspaceId,
    hasId([id]),
    { kind: 'delete', removedBy: actor.email, why: 'Chosen in the list and deleted' },
    companions,
  );
  if (!removal) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contact.removed',
    subject: `contact:${id}`,
    details: { email: contact.address, removalId: removal.id },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Deleted',
    details: contact.address,
    status: 'completed',
    icon: 'trash',
    iconColor: 'error',
    actor: actor.email,
  });
  return { removed: 1, removalId: removal.id };
}
