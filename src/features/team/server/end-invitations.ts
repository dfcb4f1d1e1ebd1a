import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';
import { invitingProblem } from '../rules.ts';
import { endInvitation, selectInvitationsFrom } from './invitation-queries.ts';

/**
 * Ends the open invitations of somebody whose role is this one now (null: they are no member any
 * more), as far as they may not give what these give. Without that, somebody who was removed could
 * come back with their own invitation. The caller holds the workspace's lock. Returns how many.
 */
export async function endInvitationsOf(
  tx: TenantTx,
  { workspaceId, email: actor }: { workspaceId: number; email: string },
  inviter: { userId: number; email: string },
  role: Role | null,
): Promise<number> {
  let count = 0;
  for (const invitation of await selectInvitationsFrom(tx, workspaceId, inviter.userId)) {
    if (role !== null && invitingProblem(role, invitation.role) === null) continue;
    const ended = await endInvitation(tx, workspaceId, invitation.id, 'canceled');
    if (!ended) continue;
    count += 1;
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'invitation.revoked',
      subject: `invitation:${invitation.id}`,
      details: { ...ended, inviter: inviter.email },
    });
  }
  return count;
}
