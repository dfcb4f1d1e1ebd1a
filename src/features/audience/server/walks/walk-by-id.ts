import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { nearOffset, type PageRequest } from '../../rules/plan.ts';
import { direction, type Walked, type Way, walkAlong } from '../list-queries.ts';
import type { Sought } from '../sought.ts';
import { mayHold, walkPastRuns } from './domain-runs.ts';

/**
 * A page by id, which is the order in which contacts were added. Walks the primary key (or the
 * index of contacts that are not valid) until the page is full. Works well when the filter lets
 * through a fair share of the contacts. Runs of domains that cannot match are passed over.
 */
export async function walkById(tx: TenantTx, sought: Sought, page: PageRequest): Promise<Walked> {
  const coming = page.order === 'desc' ? await firstComingId(tx, sought.workspaceId) : null;
  return coming === null ? walkFrom(tx, sought, page, null) : walkBeforeComing(tx, sought, page, coming);
}

/** The contacts with a lower id than `below`, or all. */
function walkFrom(tx: TenantTx, sought: Sought, page: PageRequest, below: number | null): Promise<Walked> {
  const { status } = sought.leads;
  const hasWay = status === 'invalid' || status === 'duplicate' || page.offset > nearOffset;
  const may = hasWay ? null : mayHold(sought);
  if (may !== null) return walkPastRuns(tx, sought, may, page, below);
  const from = below === null ? sql`true` : sql`c.id < ${below}`;
  return walkAlong(tx, sought, { from, order: sql`c.id ${direction(page.order)}` }, page);
}

/**
 * From this id on there are only contacts added one by one, and contacts that a running import is
 * inserting, which nobody can see yet. Null when no import is running, or when another has ended
 * since it began.
 */
async function firstComingId(tx: TenantTx, workspaceId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select min(i.first_contact_id) as id from imports i
    where i.workspace_id = ${workspaceId} and i.status in ('uploading', 'processing')
      and not exists (
        select from imports ended
        where ended.workspace_id = i.workspace_id and ended.last_contact_id >= i.first_contact_id
      )`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * The newest contacts, without passing over the rows of an uncommitted import. A million such rows
 * take half a second.
 */
async function walkBeforeComing(
  tx: TenantTx,
  sought: Sought,
  page: PageRequest,
  coming: number,
): Promise<Walked> {
  const { offset, limit } = page;
  const wanted = offset + limit;
  const byHand: Way = { from: sql`c.import_id is null and -c.id <= -${coming}::bigint`, order: sql`-c.id` };
  const newest = await walkAlong(tx, sought, byHand, { offset: 0, limit: wanted });
  const ids = newest.ids.slice(offset);
  if (newest.isCut || newest.ids.length === wanted) return { ids, isCut: newest.isCut };
  const skip = Math.max(offset - newest.ids.length, 0);
  const rest = await walkFrom(tx, sought, { ...page, offset: skip, limit: limit - ids.length }, coming);
  return { ids: [...ids, ...rest.ids], isCut: rest.isCut };
}
