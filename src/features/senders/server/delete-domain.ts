import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { needDomain } from './present.ts';
import { removeDomain } from './queries.ts';

/** Removes a sender domain with its keys. */
export async function deleteDomain(tx: TenantTx, { workspaceId, email }: Actor, id: number): Promise<void> {
  const { row } = await needDomain(tx, workspaceId, id, { lock: true });
  await removeDomain(tx, workspaceId, id);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'sender_domain.removed',
    subject: `sender_domain:${id}`,
    details: { name: row.domain },
  });
}
