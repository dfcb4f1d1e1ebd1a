import type { TenantTx } from '#platform/server/database.ts';
import { type Granted, grant } from '../rules/grant.ts';
import { lockLimits, useUp } from './queries.ts';

/**
 * Takes as many of the wanted messages as may leave now, in the transaction that hands them over.
 * So all processes together keep to the limits. Null when there is no limit.
 */
export async function takeMessages(
  tx: TenantTx,
  workspaceId: number,
  fromDomain: string,
  wanted: number,
): Promise<Pick<Granted, 'count' | 'wait'> | null> {
  const { pace, warmUp, now } = await lockLimits(tx, workspaceId, fromDomain);
  if (!pace && !warmUp) return null;
  const { count, wait, tokens, today } = grant(pace, warmUp, wanted, now);
  if (count > 0) await useUp(tx, workspaceId, fromDomain, { count, tokens, today, now });
  return { count, wait };
}
