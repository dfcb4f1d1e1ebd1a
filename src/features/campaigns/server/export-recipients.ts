import { Readable } from 'node:stream';
import { csvLine } from '#features/csv/rules.ts';
import type { SendState } from '#features/sending/rules/mailing.ts';
import type { RecipientRow } from '#features/sending/server/index.ts';
import type { CampaignsContext } from './context.ts';
import { present } from './list-recipients.ts';
import { needCampaign } from './show-campaign.ts';

/** Rows of one query. A page is read once the one before it has left. */
const page = 5_000;

const columns = ['address', 'state', 'why', 'reply', 'attempts', 'handed_at', 'ended_at'];

/**
 * The recipients of a campaign as CSV, page by page, so that millions take no memory and no
 * transaction stays open while somebody downloads slowly. Throws `not_found`.
 */
export async function exportRecipients(
  context: CampaignsContext,
  workspaceId: number,
  id: number,
  state: SendState | null,
): Promise<Readable> {
  const { db } = context;
  const { mailingId } = await db.asTenant(workspaceId, (tx) => needCampaign(tx, workspaceId, id));
  return Readable.from(lines(context, workspaceId, mailingId, state), { objectMode: false });
}

async function* lines(
  { db, sending }: CampaignsContext,
  workspaceId: number,
  mailingId: number | null,
  state: SendState | null,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(columns));
  let after: number | null = null;
  while (mailingId !== null) {
    const place = { after: after as number | null, offset: 0, limit: page };
    const rows: RecipientRow[] = await db.asTenant(workspaceId, (tx) =>
      sending.recipients(tx, workspaceId, mailingId, { state, search: null }, place),
    );
    if (rows.length > 0) yield Buffer.from(rows.map(lineOf).join(''));
    after = rows.at(-1)?.id ?? null;
    if (rows.length < page) return;
  }
}

function lineOf(row: RecipientRow): string {
  const { address, state, words, reply, attempts, handedAt, endedAt } = present(row);
  return csvLine([address, state, words, reply, attempts, handedAt, endedAt]);
}
