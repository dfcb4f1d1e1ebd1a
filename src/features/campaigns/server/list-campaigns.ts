import type { z } from 'zod';
import type { Sending } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Campaign, getCampaigns } from '../contract.ts';
import { addDays, leavesBetween, spanOf, startOfDay } from '../rules/calendar.ts';
import { selectCampaigns } from './queries.ts';
import { withStandings } from './show-campaign.ts';

/** The campaigns of a status, or those that leave on some days, newest first. */
export async function listCampaigns(
  tx: TenantTx,
  sending: Sending,
  workspaceId: number,
  { status, from, to, ...which }: z.output<typeof getCampaigns.query>,
): Promise<Campaign[]> {
  const before = to === undefined ? null : startOfDay(addDays(to, 1));
  const rows = await selectCampaigns(tx, workspaceId, { ...which, before });
  const all = await withStandings(tx, sending, workspaceId, rows);
  const now = new Date();
  const isAsked = (campaign: Campaign) => {
    if (status !== undefined && status !== campaign.status) return false;
    if (from === undefined && to === undefined) return true;
    const span = spanOf(campaign, now);
    return span !== null && leavesBetween(span, from, to);
  };
  return all.filter(isAsked);
}
