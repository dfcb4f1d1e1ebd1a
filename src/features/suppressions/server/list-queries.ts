import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { DomainSuppressionRow, EmailSuppressionRow, ListName } from './queries.ts';

/** The pages of the two lists: first the ids, from an index alone, then the page's rows. */

export interface PageRequest {
  /** Lower case; empty for all entries. */
  text: string;
  reason: string | null;
  /** The id after which the page begins; null when it begins after `skip` entries. */
  after: number | null;
  skip: number;
  take: number;
}

export interface FoundPage {
  ids: number[];
  total: number;
  isEstimate: boolean;
}

export type ShownEmailRow = EmailSuppressionRow & { createdByName: string | null; contacts: number };
export type ShownDomainRow = DomainSuppressionRow & { createdByName: string | null };

const tableOf = { email: sql.table('suppressions'), domain: sql.table('domain_suppressions') };

/** The ids of one page, newest first, and how many entries match in all. */
export async function selectPage(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  request: PageRequest,
): Promise<FoundPage> {
  if (request.text !== '') return searchPage(tx, list, request);
  const { reason, after, skip, take } = request;
  const total = await selectLength(tx, workspaceId, list, reason);
  if (after !== null) {
    const { rows } = await sql<{ id: number }>`
      select id from ${tableOf[list]}
      where workspace_id = ${workspaceId} and ${hasReason(reason)} and id < ${after}
      order by id desc limit ${take}`.execute(tx);
    return { ids: rows.map((row) => row.id), total, isEstimate: false };
  }
  if (skip >= total) return { ids: [], total, isEstimate: false };
  // Walks from the nearer end, in the primary key or the index by reason: 200 ns per entry.
  const found = Math.min(take, total - skip);
  const walk =
    skip > total / 2
      ? sql`order by id asc offset ${total - skip - found} limit ${found}`
      : sql`order by id desc offset ${skip} limit ${take}`;
  const { rows } = await sql<{ id: number }>`
    select id from ${tableOf[list]} where workspace_id = ${workspaceId} and ${hasReason(reason)} ${walk}`.execute(
    tx,
  );
  return { ids: rows.map((row) => row.id), total, isEstimate: false };
}

const hasReason = (reason: string | null): RawBuilder<unknown> =>
  reason === null ? sql`true` : sql`reason = ${reason}`;

async function selectLength(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  reason: string | null,
): Promise<number> {
  const part = reason === null ? sql`true` : sql`part = ${reason}`;
  const { rows } = await sql<{ entries: number }>`
    select coalesce(sum(entries), 0)::bigint as entries from suppression_counts
    where workspace_id = ${workspaceId} and list = ${list} and ${part}`.execute(tx);
  return rows[0]?.entries ?? 0;
}

/**
 * The page of a search. Under row-level security PostgreSQL would not use the trigram index, so
 * `search_suppressions` finds the ids outside it, and only in this transaction's workspace; see
 * docs/decisions/0011-suppression-lists.md.
 */
async function searchPage(
  tx: TenantTx,
  list: ListName,
  { text, reason, after, skip, take }: PageRequest,
): Promise<FoundPage> {
  const { rows } = await sql<{ id: number | null; total: number; isEstimate: boolean }>`
    select id, total, is_estimate as "isEstimate"
    from search_suppressions(${list}, ${text}, ${reason}, ${after}, ${skip}, ${take})`.execute(tx);
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const first = rows[0] ?? { total: 0, isEstimate: false };
  // For a page after a given entry, the number of entries before it is unknown.
  if (ids.length === 0 || after !== null) return { ids, ...totalOf(first) };
  // A last page that is not full gives the exact total.
  if (first.isEstimate && ids.length < take) return { ids, total: skip + ids.length, isEstimate: false };
  return { ids, total: Math.max(first.total, skip + ids.length), isEstimate: first.isEstimate };
}

const totalOf = ({ total, isEstimate }: { total: number; isEstimate: boolean }) => ({ total, isEstimate });

/**
 * These entries of the address list, newest first, with who put them there and how many contacts
 * have the address.
 */
export async function selectAddressRows(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<ShownEmailRow[]> {
  if (ids.length === 0) return [];
  // Two counts, because copies have their own index.
  const contactsWith = (state: RawBuilder<unknown>) => sql`(
    select count(*) from contacts c
    where c.workspace_id = s.workspace_id and c.domain = s.domain and c.local = s.local and ${state}
  )`;
  const { rows } = await sql<ShownEmailRow>`
    select s.id, s.local, s.domain, s.reason, s.note, s.created_by as "createdBy", u.name as "createdByName",
           s.created_at as "createdAt",
           ${contactsWith(sql`c.state <> 2`)} + ${contactsWith(sql`c.state = 2`)} as contacts
    from suppressions s left join users u on u.email = s.created_by
    where s.workspace_id = ${workspaceId} and s.id = any(${[...ids]}::bigint[])
    order by s.id desc`.execute(tx);
  return rows;
}

/** These entries of the domain list, newest first, with who put them there. */
export async function selectDomainRows(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<ShownDomainRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShownDomainRow>`
    select s.id, s.domain, s.reason, s.note, s.created_by as "createdBy", u.name as "createdByName",
           s.created_at as "createdAt"
    from domain_suppressions s left join users u on u.email = s.created_by
    where s.workspace_id = ${workspaceId} and s.id = any(${[...ids]}::bigint[])
    order by s.id desc`.execute(tx);
  return rows;
}
