import { selectDetails } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignReport } from '../../contract.ts';
import { spansOf } from '../../rules/report-spans.ts';
import { stateInWords } from '../../rules/state-words.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { earlierCampaigns } from './earlier-campaigns.ts';

/** What became of a campaign, for its page. Empty before it is sent. */
export async function showReport(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<CampaignReport> {
  const { sending } = context;
  const { mailingId, sentAt, trackOpens } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null) return empty;
  const { links, hours, facets } = await selectDetails(tx, workspaceId, mailingId);
  const reasons = await sending.reasons(tx, workspaceId, mailingId);
  const [standing] = await sending.standings(tx, workspaceId, [mailingId]);
  const sent = await sending.sentByHour(tx, workspaceId, mailingId, standing?.total ?? 0);
  const read = hours.map(({ hour, opened, humanOpened, clicked, humanClicked, unsubscribed }) => ({
    ...{ hour, opened: humanOpened, clicked: humanClicked, unsubscribed },
    machines: { opened: opened - humanOpened, clicked: clicked - humanClicked },
  }));
  return {
    hours: spansOf([...sent, ...read]).map(({ start, ...span }) => ({ hour: start.toISOString(), ...span })),
    earlier: trackOpens && sentAt ? await earlierCampaigns(context, tx, workspaceId, sentAt) : null,
    devices: facets.flatMap(({ facet, value, ...people }) =>
      facet === 'device' ? [{ device: value, ...people }] : [],
    ),
    programs: facets.flatMap(({ facet, value, ...people }) =>
      facet === 'program' ? [{ program: value, ...people }] : [],
    ),
    countries: facets.flatMap(({ facet, value, ...people }) =>
      facet === 'country' ? [{ country: value, ...people }] : [],
    ),
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

const empty: CampaignReport = {
  hours: [],
  earlier: null,
  devices: [],
  programs: [],
  countries: [],
  links: [],
  reasons: [],
};
