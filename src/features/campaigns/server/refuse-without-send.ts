import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { mayAs } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { scheduledNeedsSender, sendRight } from '../rules/changing.ts';
import { selectRole } from './queries.ts';

/**
 * Throws `forbidden` for a change of what is scheduled by somebody who may not send: it leaves by
 * itself, and nobody who may send would have seen what leaves.
 */
export async function refuseWithoutSend(
  tx: TenantTx,
  workspaceId: number,
  { userId, workspace, key }: Caller,
): Promise<void> {
  if (key && !key.scopes.includes(sendRight.scope))
    throw refused(` This API key lacks the scope ${sendRight.scope}.`);
  // With a key, the role in the call is the one that the call takes, not that of a person.
  const role = key ? await selectRole(tx, workspaceId, Number(userId)) : workspace?.role;
  if (role === undefined || !mayAs(role, sendRight.role))
    throw refused(key ? ` The person this API key acts for needs the ${sendRight.role} role.` : '');
}

const refused = (more: string) => new AppError('forbidden', `${scheduledNeedsSender}${more}`);
