import type { MailingStanding } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignsContext } from '../context.ts';
import { selectRecent } from '../queries.ts';

/** What is older says little about today. */
export const recentDays = 90;
/** More campaigns say no more. */
const mostRecent = 200;

/** Where the campaigns of the last 90 days stand that were sent. */
export async function recentCampaigns(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
): Promise<MailingStanding[]> {
  const ids = await selectRecent(tx, workspaceId, { days: recentDays, most: mostRecent });
  return ids.length === 0 ? [] : sending.standings(tx, workspaceId, ids);
}
