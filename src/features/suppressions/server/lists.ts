import { affectedCounts } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type {
  DomainSuppression,
  EmailSuppression,
  SuppressionFilter,
  SuppressionReason,
  SuppressionSummary,
} from '../contract.ts';
import { searchText, writtenAddress } from '../rules.ts';
import {
  type PageRequest,
  type ShownDomainRow,
  selectAddressRows,
  selectDomainRows,
  selectPage,
} from './list-queries.ts';
import { selectCounts } from './queries.ts';

/** Looking at the lists. */

type ListQuery = SuppressionFilter & { page: number; limit: number };

interface ListPage<T> {
  items: T[];
  totalCount: number;
  totalIsEstimate: boolean;
}

const requestOf = ({ search = '', reason, page, limit }: ListQuery): PageRequest => ({
  text: searchText(search),
  reason: reason ?? null,
  skip: (page - 1) * limit,
  take: limit,
});

export async function listAddresses(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<ListPage<EmailSuppression>> {
  const { ids, total, isEstimate } = await selectPage(tx, workspaceId, 'email', requestOf(query));
  const items = await shownAddresses(tx, workspaceId, ids);
  return { items, totalCount: total, totalIsEstimate: isEstimate };
}

export async function listDomains(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<ListPage<DomainSuppression>> {
  const { ids, total, isEstimate } = await selectPage(tx, workspaceId, 'domain', requestOf(query));
  const rows = await selectDomainRows(tx, workspaceId, ids);
  const affected = await affectedCounts(
    tx,
    workspaceId,
    rows.map((row) => row.domain),
  );
  const items = rows.map((row) => toDomain(row, affected.get(row.domain) ?? 0));
  return { items, totalCount: total, totalIsEstimate: isEstimate };
}

/** These entries of the address list as they are shown, newest first. */
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

/** One entry of the domain list as it is shown. */
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

/** How long each list is, by reason; of the hashes, by kind. */
export async function summarise(tx: TenantTx, workspaceId: number): Promise<SuppressionSummary> {
  const counts = await selectCounts(tx, workspaceId);
  const of = (list: string) =>
    Object.fromEntries(counts.filter((row) => row.list === list).map((row) => [row.part, row.entries]));
  return { emails: of('email'), domains: of('domain'), hashes: of('hash') };
}
