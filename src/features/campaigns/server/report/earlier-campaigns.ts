import { selectBounceFigures } from '#features/bounces/server/index.ts';
import { selectOpensByHour } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type CampaignReport, comparedCampaigns } from '../../contract.ts';
import { meanOpens } from '../../rules/earlier-opens.ts';
import type { CampaignsContext } from '../context.ts';
import { deliveredOf } from '../delivered.ts';

/**
 * How the last campaigns that were completed before a moment were opened. Reads figures by the hour
 * and no events.
 */
export async function earlierCampaigns(
  { sending }: Pick<CampaignsContext, 'sending'>,
  tx: TenantTx,
  workspaceId: number,
  before: Date,
): Promise<CampaignReport['earlier']> {
  const found = await sending.completedBefore(tx, workspaceId, before, comparedCampaigns);
  if (found.length === 0) return null;
  const ids = found.map(({ mailingId }) => mailingId);
  const standings = await sending.standings(tx, workspaceId, ids);
  const back = await selectBounceFigures(tx, workspaceId, ids);
  const delivered = await deliveredOf(tx, sending, workspaceId, standings, back);
  const hours = Map.groupBy(await selectOpensByHour(tx, workspaceId, ids), ({ mailingId }) => mailingId);
  return meanOpens(
    found.map(({ mailingId, firstAt }) => {
      const told = (hours.get(mailingId) ?? []).map(({ hour, opened, humanOpened }) => ({
        ...{ hour, opened: humanOpened, machines: { opened: opened - humanOpened } },
      }));
      return { delivered: delivered.get(mailingId) ?? 0, firstAt, hours: told };
    }),
  );
}
