import type { z } from 'zod';
import type { Sending } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Campaign, getCampaigns } from '../contract.ts';
import { addDays, startOfDay } from '../rules/calendar.ts';
import { selectCampaigns } from './queries.ts';
import { withStandings } from './show-campaign.ts';

/** The campaigns of a status, or those that leave on some days, newest first, at most so many. */
export async function listCampaigns(
  tx: TenantTx,
  sending: Sending,
  workspaceId: number,
  { from, to, ...which }: z.output<typeof getCampaigns.query>,
): Promise<Campaign[]> {
  const days =
    from === undefined && to === undefined
      ? null
      : {
          first: from === undefined ? null : startOfDay(from),
          end: to === undefined ? null : startOfDay(addDays(to, 1)),
        };
  const rows = await selectCampaigns(tx, workspaceId, {
    ...which,
    days,
    states: sending.states(workspaceId),
  });
  return withStandings(tx, sending, workspaceId, rows);
}
