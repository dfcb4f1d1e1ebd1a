import { splitUnchecked } from '#features/addresses/rules/identity.ts';
import { affectedCounts } from '#features/rollups/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type {
  DomainSuppression,
  EmailSuppression,
  SuppressionFilter,
  SuppressionReason,
  SuppressionSummary,
} from '../contract.ts';
import { writtenAddress } from '../rules.ts';
import {
  type FoundPage,
  type PageRequest,
  type ShownDomainRow,
  selectAddressRows,
  selectDomainRows,
  selectPage,
} from './list-queries.ts';
import { type ListName, selectAddress, selectCounts } from './queries.ts';
import { readAddress, searchText } from './search-text.ts';

/** Reading the lists. */

type ListQuery = SuppressionFilter & {
  /** Exactly this address. */
  email?: string | undefined;
  page: number;
  limit: number;
  cursor?: string | undefined;
};

interface ListPage<T> {
  items: T[];
  totalCount: number;
  totalIsEstimate: boolean;
  nextCursor: string | null;
}

/** The ids of the page that a query asks for, and how it goes on. */
async function findPage(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  query: ListQuery,
): Promise<FoundPage & { nextCursor: string | null }> {
  const { search = '', reason, email, limit } = query;
  const text = searchText(list, search);
  const scope = { workspaceId, list, of: { text, reason, email } };
  const { after, offset } = placeById(scope, query);
  const request = { text, reason: reason ?? null, after, skip: offset, take: limit + 1 };
  const found =
    email === undefined
      ? await selectPage(tx, workspaceId, list, request)
      : await findExactly(tx, workspaceId, email, request);
  const { rows, nextCursor } = pageOfRows(
    scope,
    found.ids.map((id) => ({ id })),
    limit,
  );
  return { ...found, ids: rows.map(({ id }) => id), nextCursor };
}

/** The page of one address: its entry, if it has one and the entry fits the rest of the query. */
async function findExactly(
  tx: TenantTx,
  workspaceId: number,
  email: string,
  { text, reason, after, skip }: PageRequest,
): Promise<FoundPage> {
  const read = readAddress(email);
  // A file may say of a text that is no address not to mail it.
  const entry = await selectAddress(tx, workspaceId, read.ok ? read : splitUnchecked(email.trim()));
  const fits =
    entry !== undefined &&
    (reason === null || entry.reason === reason) &&
    `${entry.local}@${entry.domain}`.includes(text);
  if (!fits) return { ids: [], total: 0, isEstimate: false };
  const isOnPage = skip === 0 && (after === null || entry.id < after);
  return { ids: isOnPage ? [entry.id] : [], total: 1, isEstimate: false };
}

export async function listAddresses(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<ListPage<EmailSuppression>> {
  const { ids, total, isEstimate, nextCursor } = await findPage(tx, workspaceId, 'email', query);
  const items = await shownAddresses(tx, workspaceId, ids);
  return { items, totalCount: total, totalIsEstimate: isEstimate, nextCursor };
}

export async function listDomains(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<ListPage<DomainSuppression>> {
  const { ids, total, isEstimate, nextCursor } = await findPage(tx, workspaceId, 'domain', query);
  const rows = await selectDomainRows(tx, workspaceId, ids);
  const affected = await affectedCounts(
    tx,
    workspaceId,
    rows.map((row) => row.domain),
  );
  const items = rows.map((row) => toDomain(row, affected.get(row.domain) ?? 0));
  return { items, totalCount: total, totalIsEstimate: isEstimate, nextCursor };
}

/** These entries of the address list as the API shows them, newest first. */
export async function shownAddresses(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<EmailSuppression[]> {
  const rows = await selectAddressRows(tx, workspaceId, ids);
  return rows.map((row) => ({
    id: row.id,
    email: writtenAddress(row),
    affectedCount: row.contacts,
    reason: row.reason as SuppressionReason,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName ?? row.createdBy,
  }));
}

/** One entry of the domain list as the API shows it. */
export async function shownDomain(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  affectedCount: number,
): Promise<DomainSuppression> {
  const [row] = await selectDomainRows(tx, workspaceId, [id]);
  if (!row) throw new Error(`domain suppression ${id} was just written and is not there`);
  return toDomain(row, affectedCount);
}

function toDomain(row: ShownDomainRow, affectedCount: number): DomainSuppression {
  return {
    id: row.id,
    domain: row.domain,
    affectedCount,
    reason: row.reason as SuppressionReason,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName ?? row.createdBy,
  };
}

/** The length of each list, by reason; for hashes, by kind. */
export async function summarise(tx: TenantTx, workspaceId: number): Promise<SuppressionSummary> {
  const counts = await selectCounts(tx, workspaceId);
  const of = (list: string) =>
    Object.fromEntries(counts.filter((row) => row.list === list).map((row) => [row.part, row.entries]));
  return { emails: of('email'), domains: of('domain'), hashes: of('hash') };
}
