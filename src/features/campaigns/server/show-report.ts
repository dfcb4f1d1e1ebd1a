import { selectDetails } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignReport } from '../contract.ts';
import { stateInWords } from '../rules/state-words.ts';
import type { CampaignsContext } from './context.ts';
import { needCampaign } from './show-campaign.ts';

/** What became of a campaign, for its page. Empty before it is sent. */
export async function showReport(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<CampaignReport> {
  const { mailingId } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null) return { hours: [], links: [], reasons: [] };
  const { links, hours } = await selectDetails(tx, workspaceId, mailingId);
  const reasons = await sending.reasons(tx, workspaceId, mailingId);
  return {
    hours: hours.map(({ hour, opened, humanOpened, clicked, humanClicked, unsubscribed }) => ({
      hour: hour.toISOString(),
      opened: humanOpened,
      clicked: humanClicked,
      unsubscribed,
      machines: { opened: opened - humanOpened, clicked: clicked - humanClicked },
    })),
    links: links.map(({ clicks, humanClicks, part, ...link }) => ({
      ...link,
      part: part === 'text' ? 'text' : 'html',
      clicks: humanClicks,
      machineClicks: clicks - humanClicks,
    })),
    reasons: reasons.map(({ state, reason, people }) => {
      const shown = state === 'handed' ? 'pending' : state;
      return { state: shown, reason, words: stateInWords(shown, reason), people };
    }),
  };
}
