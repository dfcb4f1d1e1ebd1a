import { type CsvValue, csvLine } from '#features/csv/rules.ts';
import { selectDetails } from '#features/tracking/server/index.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Breakdown, BreakdownPart } from '../../contract/breakdown.ts';
import { linkClicks } from '../../rules/link-clicks.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { showBreakdown } from './show-breakdown.ts';

const domainColumns = [
  ...['domain', 'domains', 'recipients', 'sent', 'failed', 'bounced', 'complained'],
  ...['opened', 'clicked', 'unsubscribed'],
] as const;

type Context = Pick<CampaignsContext, 'db' | 'sending' | 'log'>;

/**
 * The receiving domains or the links of a campaign as CSV, as its page has them. Throws `conflict`
 * while a large campaign is counted for the first time, and `not_found`.
 */
export async function exportBreakdown(
  context: Context,
  workspaceId: number,
  id: number,
  what: BreakdownPart,
  fewPeople?: number,
): Promise<string> {
  const breakdown = await showBreakdown(context, workspaceId, id, fewPeople);
  if (breakdown.countedAt === null && breakdown.isCounting)
    throw new AppError('conflict', 'This campaign is being counted. Ask again in some seconds.');
  const lines =
    what === 'domains' ? domainLines(breakdown) : await linkLines(context, workspaceId, id, breakdown);
  return lines.map((line) => csvLine(line)).join('');
}

const domainLines = ({ domains }: Breakdown): (readonly CsvValue[])[] => [
  domainColumns,
  ...domains.map((line) => domainColumns.map((column) => line[column])),
];

/** The links of the message, also those that nobody has followed. */
async function linkLines(
  { db }: Context,
  workspaceId: number,
  id: number,
  { links: counted }: Breakdown,
): Promise<(readonly CsvValue[])[]> {
  const links = await db.asTenant(workspaceId, async (tx) => {
    const { mailingId } = await needCampaign(tx, workspaceId, id);
    return mailingId === null ? [] : (await selectDetails(tx, workspaceId, mailingId)).links;
  });
  const told = links.map(({ clicks, humanClicks, ...link }) => ({
    ...{ ...link, clicks: humanClicks, machineClicks: clicks - humanClicks },
  }));
  const all = new Map(linkClicks(told, true).map(({ url, clicks }) => [url, clicks]));
  return [
    ['link', 'clicks', 'clicks_with_machines', 'people', 'people_with_machines'],
    ...linkClicks(told, false).map(({ url, clicks }) => {
      const people = counted.find((one) => one.url === url);
      return [url, clicks, all.get(url), people?.people ?? 0, people?.withMachines ?? 0];
    }),
  ];
}
