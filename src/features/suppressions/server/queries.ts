import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** The two halves of an identity key. */
export interface AddressKey {
  local: string;
  domain: string;
}

export interface EmailSuppressionRow extends AddressKey {
  id: number;
  reason: string;
  note: string | null;
  createdBy: string | null;
  createdAt: Date;
}

export interface DomainSuppressionRow {
  id: number;
  domain: string;
  reason: string;
  note: string | null;
  createdBy: string | null;
  createdAt: Date;
}

const emailColumns = sql`id, local, domain, reason, note, created_by as "createdBy", created_at as "createdAt"`;
const domainColumns = sql`id, domain, reason, note, created_by as "createdBy", created_at as "createdAt"`;

/** The key of one contact; none when this workspace has no such contact. */
export async function selectContactKey(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
): Promise<AddressKey | undefined> {
  const { rows } = await sql<AddressKey>`
    select local, domain from contacts where workspace_id = ${workspaceId} and id = ${contactId}`.execute(tx);
  return rows[0];
}

/** Puts one address on the list. None when it is there already. */
export async function insertAddress(
  tx: TenantTx,
  workspaceId: number,
  entry: AddressKey & { reason: string; note: string | null; createdBy: string },
): Promise<EmailSuppressionRow | undefined> {
  const { rows } = await sql<EmailSuppressionRow>`
    insert into suppressions (workspace_id, local, domain, reason, note, created_by)
    values (${workspaceId}, ${entry.local}, ${entry.domain}, ${entry.reason}, ${entry.note}, ${entry.createdBy})
    on conflict (workspace_id, domain, local) do nothing
    returning ${emailColumns}`.execute(tx);
  return rows[0];
}

/** Those addresses of contacts that are not on the list yet, each once. `contacts` yields ids. */
export const newAddressesOf = (
  workspaceId: number,
  contacts: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select distinct c.domain, c.local from contacts c
  where c.workspace_id = ${workspaceId} and c.id in (${contacts}) and not exists (
    select from suppressions s
    where s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
  )`;

/**
 * Puts addresses on the list, as one set, and answers how many. `addresses` yields (domain, local). In the order of the
 * key, as every writer of this list takes it.
 */
export async function insertAddresses(
  tx: TenantTx,
  workspaceId: number,
  addresses: RawBuilder<unknown>,
  entry: { reason: string; createdBy: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into suppressions (workspace_id, local, domain, reason, created_by)
    select ${workspaceId}::bigint, local, domain, ${entry.reason}, ${entry.createdBy}
    from (${addresses}) added
    order by domain, local
    on conflict (workspace_id, domain, local) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** The entry of an address. */
export async function selectAddress(
  tx: TenantTx,
  workspaceId: number,
  key: AddressKey,
): Promise<EmailSuppressionRow | undefined> {
  const { rows } = await sql<EmailSuppressionRow>`
    select ${emailColumns} from suppressions
    where workspace_id = ${workspaceId} and domain = ${key.domain} and local = ${key.local}`.execute(tx);
  return rows[0];
}

/** Takes an entry off the list and answers what it was. */
export async function deleteAddress(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<EmailSuppressionRow | undefined> {
  const { rows } = await sql<EmailSuppressionRow>`
    delete from suppressions where workspace_id = ${workspaceId} and id = ${id} returning ${emailColumns}`.execute(
    tx,
  );
  return rows[0];
}

/** Puts a domain on the list. None when it is there already. */
export async function insertDomain(
  tx: TenantTx,
  workspaceId: number,
  entry: { domain: string; reason: string; note: string | null; createdBy: string },
): Promise<DomainSuppressionRow | undefined> {
  const { rows } = await sql<DomainSuppressionRow>`
    insert into domain_suppressions (workspace_id, domain, reason, note, created_by)
    values (${workspaceId}, ${entry.domain}, ${entry.reason}, ${entry.note}, ${entry.createdBy})
    on conflict (workspace_id, domain) do nothing
    returning ${domainColumns}`.execute(tx);
  return rows[0];
}

/** The entry of a domain. */
export async function selectDomain(
  tx: TenantTx,
  workspaceId: number,
  domain: string,
): Promise<DomainSuppressionRow | undefined> {
  const { rows } = await sql<DomainSuppressionRow>`
    select ${domainColumns} from domain_suppressions
    where workspace_id = ${workspaceId} and domain = ${domain}`.execute(tx);
  return rows[0];
}

/** Takes a domain off the list and answers what it was. */
export async function deleteDomain(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<DomainSuppressionRow | undefined> {
  const { rows } = await sql<DomainSuppressionRow>`
    delete from domain_suppressions where workspace_id = ${workspaceId} and id = ${id}
    returning ${domainColumns}`.execute(tx);
  return rows[0];
}

/** Rollup: brings the length of the address list up to date, in the transaction that changes the list. */
export async function countAddresses(tx: TenantTx, workspaceId: number, change: number): Promise<void> {
  await sql`
    insert into suppression_counts as c (workspace_id, emails) values (${workspaceId}, ${change})
    on conflict (workspace_id) do update set emails = c.emails + excluded.emails`.execute(tx);
}

/** The length of the address list, from the rollup: counting a million entries takes 100 ms. */
async function selectAddressCount(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ emails: number }>`
    select emails from suppression_counts where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]?.emails ?? 0;
}

export interface Page {
  skip: number;
  take: number;
}

/**
 * One page of the address list, newest first. The ids are walked in the primary key alone (200 ns an entry) from the nearer
 * end; whole rows are read only for the page.
 */
export async function selectAddressPage(
  tx: TenantTx,
  workspaceId: number,
  { skip, take }: Page,
): Promise<{ rows: EmailSuppressionRow[]; total: number }> {
  const total = await selectAddressCount(tx, workspaceId);
  if (skip >= total) return { rows: [], total };
  const fromOldest = skip > total / 2;
  const found = Math.min(take, total - skip);
  const walk = fromOldest
    ? sql`order by id asc offset ${total - skip - found} limit ${found}`
    : sql`order by id desc offset ${skip} limit ${take}`;
  const { rows } = await sql<EmailSuppressionRow>`
    select ${emailColumns} from suppressions
    where workspace_id = ${workspaceId}
      and id in (select id from suppressions where workspace_id = ${workspaceId} ${walk})
    order by id desc`.execute(tx);
  return { rows, total };
}

/**
 * One page of the addresses that contain `text` (lower case), newest first. `search_suppressions` (migration 0004) finds the
 * ids outside row-level security, under which PostgreSQL would not use the trigram index, and only in this transaction's
 * workspace. At a million entries: 4 ms for a rare text, 150 ms without the index.
 */
export async function searchAddressPage(
  tx: TenantTx,
  workspaceId: number,
  text: string,
  { skip, take }: Page,
): Promise<{ rows: EmailSuppressionRow[]; total: number }> {
  const { rows } = await sql<EmailSuppressionRow & { total: number }>`
    select s.id, s.local, s.domain, s.reason, s.note, s.created_by as "createdBy", s.created_at as "createdAt", found.total
    from search_suppressions(${text}, ${skip}, ${take}) found
    left join suppressions s on s.workspace_id = ${workspaceId} and s.id = found.id
    order by s.id desc`.execute(tx);
  const total = rows[0]?.total ?? 0;
  return { rows: rows.filter((row) => row.id !== null), total };
}

/** One page of the domain list, newest first, with the number of all that match. The list is thousands long at most. */
export async function selectDomainPage(
  tx: TenantTx,
  workspaceId: number,
  text: string,
  { skip, take }: Page,
): Promise<{ rows: DomainSuppressionRow[]; total: number }> {
  const matches = sql`workspace_id = ${workspaceId} and domain like contains_pattern(${text})`;
  const counted = await sql<{ total: number }>`
    select count(*) as total from domain_suppressions where ${matches}`.execute(tx);
  const { rows } = await sql<DomainSuppressionRow>`
    select ${domainColumns} from domain_suppressions
    where ${matches}
    order by id desc
    offset ${skip} limit ${take}`.execute(tx);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
