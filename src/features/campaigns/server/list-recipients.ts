import type { RecipientRow } from '#features/sending/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import type { CampaignRecipient, listRecipients as endpoint } from '../contract.ts';
import { stateInWords } from '../rules/state-words.ts';
import type { CampaignsContext } from './context.ts';
import { needCampaign } from './show-campaign.ts';

/** Who gets a campaign, and what became of each. Nobody, before it is sent. */
export async function listRecipients(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { mailingId } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null) return { items: [], totalCount: 0, nextCursor: null };
  const { state = null, search = '', limit } = query;
  const filter = { state, search: search === '' ? null : search };
  const scope = { workspaceId, list: `campaign ${id} recipients`, of: filter };
  const { after, offset } = placeById(scope, { ...query, page: 1 });
  const found = await sending.recipients(tx, workspaceId, mailingId, filter, {
    after,
    offset,
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOfRows(scope, found, limit);
  const totalCount = await sending.countRecipients(tx, workspaceId, mailingId, filter);
  return { items: rows.map(present), totalCount, nextCursor };
}

/** A recipient as callers see it. */
export function present(row: RecipientRow): CampaignRecipient {
  const { dueAt, handedAt, endedAt, ...rest } = row;
  const state = row.state === 'handed' ? 'pending' : row.state;
  return {
    ...rest,
    state,
    words: stateInWords(state, row.reason),
    dueAt: dueAt?.toISOString() ?? null,
    handedAt: handedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}
