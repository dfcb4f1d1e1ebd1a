import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import type { listRecipients as endpoint } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { countAsked, filterOf, presentAll } from './recipient-acts.ts';

/** Who gets a campaign, and what became of each. Nobody, before it is sent. */
export async function listRecipients(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { mailingId } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null) return { items: [], totalCount: 0, nextCursor: null };
  const { state = null, did = null, count, search = '', limit } = query;
  const asked = { state, did, count, search: search === '' ? null : search };
  const scope = { workspaceId, list: `campaign ${id} recipients`, of: asked };
  const { after, offset } = placeById(scope, { ...query, page: 1 });
  const filter = filterOf(workspaceId, mailingId, asked);
  const place = { after, offset, limit: limit + 1 };
  const found = await context.sending.recipients(tx, workspaceId, mailingId, filter, place);
  const { rows, nextCursor } = pageOfRows(scope, found, limit);
  const totalCount = await countAsked(context, tx, workspaceId, mailingId, asked);
  return { items: await presentAll(tx, workspaceId, mailingId, rows, count), totalCount, nextCursor };
}
