import type { TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
import { type Forecast, forecast } from '../rules/forecast.ts';
import { selectPace, selectReceivers, selectWarmUps } from './queries.ts';

/** How many messages a minute a workspace's own mail servers take. Null: as many as there are. */
export const ownMailRatePort =
  port<(tx: TenantTx, workspaceId: number) => Promise<number | null>>('pace.own-mail-rate');

/**
 * How fast messages from a domain will leave. Receivers with a limit of their own are not reckoned
 * with: it takes at least so long. Null where nothing is limited.
 */
export async function foretell(
  tx: TenantTx,
  workspaceId: number,
  asked: { fromDomain: string; messages: number; from: Date; perMinute: number | null },
): Promise<(Forecast & { isLeast: boolean }) | null> {
  const { fromDomain, messages, from, perMinute } = asked;
  const pace = await selectPace(tx, workspaceId);
  const warmUp = (await selectWarmUps(tx, workspaceId)).find(({ domain }) => domain === fromDomain) ?? null;
  const told = forecast({ pace, warmUp, perMinute }, messages, from);
  return told && { ...told, isLeast: (await selectReceivers(tx, workspaceId)).length > 0 };
}
