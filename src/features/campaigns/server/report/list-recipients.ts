import { sql } from 'kysely';
import type { Tree } from '#features/audience/rules/tree.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import type { listRecipients as endpoint } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { type AskedRecipients, countAsked, filterOf, presentAll } from './recipient-acts.ts';

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
  const { state = null, did = null, link = null, count, search = '', limit } = query;
  const asked = { state, did, link, count, search: search === '' ? null : search };
  const scope = { workspaceId, list: `campaign ${id} recipients`, of: asked };
  const { after, offset } = placeById(scope, { ...query, page: 1 });
  const place = { after, offset, limit: limit + 1 };
  const known = await amongContacts(context, tx, workspaceId, asked);
  const filter = { ...filterOf(workspaceId, mailingId, asked), ...(known ? { among: known } : {}) };
  const found = await context.sending.recipients(tx, workspaceId, mailingId, filter, place);
  const { rows, nextCursor } = pageOfRows(scope, found, limit);
  const countAll = () =>
    known
      ? context.sending.countRecipients(tx, workspaceId, mailingId, filter)
      : countAsked(context, tx, workspaceId, mailingId, asked);
  const totalCount = after === null && found.length <= limit ? found.length : await countAll();
  return { items: await presentAll(tx, workspaceId, mailingId, rows, count), totalCount, nextCursor };
}

/** Contacts that the search of the database finds faster than a walk through a mailing does. */
const mostKnown = 5_000;

/**
 * The contacts whose address has what is searched for, as rows of `send_id`. Null when there are
 * too many of them, and where something else finds the recipients. Null too when there is none: who
 * has another address by now, or is gone, is found in the ledger alone.
 */
async function amongContacts(
  { audience }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { search, did, link }: AskedRecipients,
): Promise<Fragment | null> {
  if (search === null || did !== null || link !== null) return null;
  const tree: Tree = { version: 1, all: [{ condition: 'search', value: search }] };
  if (!audience.stored.safeParse(tree).success) return null;
  const ids = await audience.ids(tx, workspaceId, tree);
  const { rows } = await sql<{ id: number }>`select i.id from (${ids}) i limit ${mostKnown + 1}`.execute(tx);
  if (rows.length === 0 || rows.length > mostKnown) return null;
  return sql`select unnest(${rows.map(({ id }) => id)}::bigint[]) as send_id`;
}
