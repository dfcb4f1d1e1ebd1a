import { z } from 'zod';
import { presentContact } from '#features/contacts/rules.ts';
import { selectContacts } from '#features/contacts/server/index.ts';
import { placeOfPage, writeCursor } from '#platform/server/cursor.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import { listContacts } from '../contract.ts';
import { usualOrders } from '../rules/order.ts';
import type { PlaceInOrder } from '../rules/plan.ts';
import type { Audience } from './audience.ts';

/**
 * What a cursor holds: the last contact of the page with its domain and local part (empty in time
 * order), and the first page's total, so that later pages need not count again.
 */
const place = z.object({
  total: z.number().int().nonnegative(),
  isEstimate: z.boolean(),
  id: z.number().int().positive(),
  domain: z.string(),
  local: z.string(),
  /** In an order by verdict or risk: its list in the index. */
  list: z.number().int().nullable().default(null),
});

/** One page of the contacts that a query asks for, by number or by cursor. */
export async function listPage(
  audience: Audience,
  tx: TenantTx,
  workspaceId: number,
  query: QueryOf<typeof listContacts>,
  attempts = 3,
): Promise<ResponseOf<typeof listContacts>> {
  const { page, limit, sort, cursor, order: given, ...asked } = query;
  const order = given ?? usualOrders[sort];
  // An address is sorted by its domain first, so both are one order.
  const by = { sort: sort === 'domain' ? 'address' : sort, order } as const;
  const scope = { workspaceId, list: listContacts.path, of: { ...asked, sort, order } };
  const { after: from, offset } = placeOfPage(scope, { page, limit, cursor }, place);
  const tree = audience.of({ filter: asked });
  const after =
    from && ({ ...by, id: from.id, domain: from.domain, local: from.local, list: from.list } as PlaceInOrder);
  // One extra contact shows whether there are more.
  const found = await audience.page(tx, workspaceId, tree, { ...by, offset, limit: limit + 1, after });
  const contacts = await selectContacts(tx, workspaceId, found.ids.slice(0, limit));
  // All of them were removed between finding and reading. Try again, because others follow.
  if (contacts.length === 0 && found.ids.length > 0 && attempts > 1)
    return listPage(audience, tx, workspaceId, query, attempts - 1);
  const { total, isEstimate } = from ?? found;
  const last = contacts.at(-1);
  const hasMore = found.ids.length > limit || found.isCut === true;
  const at = hasMore && last ? await audience.placeOf(tx, workspaceId, last, by) : null;
  return {
    emails: contacts.map(presentContact),
    totalCount: total,
    totalIsEstimate: isEstimate,
    nextCursor: at && writeCursor(scope, { total, isEstimate, domain: '', local: '', list: null, ...at }),
  };
}
