import { Readable } from 'node:stream';
import { csvLine } from '#features/csv/rules.ts';
import type { CampaignRecipient } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { type AskedRecipients, filterOf, presentAll } from './recipient-acts.ts';

/** Rows of one query. A page is read once the one before it has left. */
const page = 5_000;

const columns = [
  ...['address', 'state', 'why', 'reply', 'attempts', 'handed_at', 'ended_at'],
  ...['opened_at', 'clicked_at', 'left_at', 'bounced_at', 'complained_at'],
];

export type ExportedRecipients = Omit<AskedRecipients, 'search'>;

/**
 * The recipients of a campaign as CSV, page by page, so that millions take no memory and no
 * transaction stays open while somebody downloads slowly. Throws `not_found`.
 */
export async function exportRecipients(
  context: CampaignsContext,
  workspaceId: number,
  id: number,
  asked: ExportedRecipients,
): Promise<Readable> {
  const { db } = context;
  const { mailingId } = await db.asTenant(workspaceId, (tx) => needCampaign(tx, workspaceId, id));
  return Readable.from(lines(context, workspaceId, mailingId, asked), { objectMode: false });
}

async function* lines(
  { db, sending }: CampaignsContext,
  workspaceId: number,
  mailingId: number | null,
  asked: ExportedRecipients,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(columns));
  let after: number | null = null;
  while (mailingId !== null) {
    const place = { after: after as number | null, offset: 0, limit: page };
    const rows: CampaignRecipient[] = await db.asTenant(workspaceId, async (tx) => {
      const filter = filterOf(workspaceId, mailingId, { ...asked, search: null });
      const found = await sending.recipients(tx, workspaceId, mailingId, filter, place);
      return presentAll(tx, workspaceId, mailingId, found, asked.count);
    });
    if (rows.length > 0) yield Buffer.from(rows.map(lineOf).join(''));
    after = rows.at(-1)?.id ?? null;
    if (rows.length < page) return;
  }
}

function lineOf(row: CampaignRecipient): string {
  const { address, state, words, reply, attempts, handedAt, endedAt } = row;
  const { openedAt, clickedAt, leftAt, bouncedAt, complainedAt } = row;
  return csvLine([
    ...[address, state, words, reply, attempts, handedAt, endedAt],
    ...[openedAt, clickedAt, leftAt, bouncedAt, complainedAt],
  ]);
}
