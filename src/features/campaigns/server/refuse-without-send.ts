import type { Caller } from '#platform/server/http.ts';
import { hasScope, mayToo } from '#platform/server/may-too.ts';
import { AppError } from '#platform/shared/errors.ts';
import { scheduledNeedsSender, sendRight } from '../rules/changing.ts';

/**
 * Throws `forbidden` for a change of what is scheduled by somebody who may not send: it leaves by
 * itself, and nobody who may send would have seen what leaves.
 */
export function refuseWithoutSend(caller: Caller): void {
  if (mayToo(caller, sendRight)) return;
  const lacking = hasScope(caller, sendRight.scope)
    ? ` The person this API key acts for needs the ${sendRight.role} role.`
    : ` This API key lacks the scope ${sendRight.scope}.`;
  throw new AppError('forbidden', `${scheduledNeedsSender}${caller.key ? lacking : ''}`);
}
