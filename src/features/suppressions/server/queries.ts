import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { SuppressionReason } from '../contract.ts';

/** The two halves of an identity key. */
export interface AddressKey {
  local: string;
  domain: string;
}

/** These keys, as a fragment that yields (local, domain). */
export const keyRows = (keys: readonly AddressKey[]): RawBuilder<unknown> => sql`
  select * from unnest(${keys.map(({ local }) => local)}::text[], ${keys.map(({ domain }) => domain)}::text[])
    as these (local, domain)`;

interface EntryRow {
  id: number;
  reason: SuppressionReason;
  note: string | null;
  /** The email address of the person who put it there. */
  createdBy: string | null;
  createdAt: Date;
}

export interface EmailSuppressionRow extends EntryRow, AddressKey {
  refusesAll: boolean;
  /** It came with a list. */
  isImported: boolean;
  /** Others than its owner have reasons for it, too. */
  isByOthers: boolean;
}

export interface DomainSuppressionRow extends EntryRow {
  domain: string;
}

const domainColumns = sql`id, domain, reason, note, created_by as "createdBy", created_at as "createdAt"`;
const emailColumns = sql`${domainColumns}, local, refuses_all as "refusesAll", batch_id is not null as "isImported",
  by_others as "isByOthers"`;

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

/** These ids, as a fragment that yields them. */
export const theseContacts = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`select unnest(${[...ids]}::bigint[])`;

/** Puts one address on the list. None when it is already there. */
export async function insertAddress(
  tx: TenantTx,
  workspaceId: number,
  entry: AddressKey & { reason: string; note: string | null; createdBy: string | null },
): Promise<EmailSuppressionRow | undefined> {
  const { rows } = await sql<EmailSuppressionRow>`
    insert into suppressions (workspace_id, local, domain, reason, note, created_by)
    values (${workspaceId}, ${entry.local}, ${entry.domain}, ${entry.reason}, ${entry.note}, ${entry.createdBy})
    on conflict (workspace_id, domain, local) do nothing
    returning ${emailColumns}`.execute(tx);
  return rows[0];
}

/**
 * Puts addresses on the list, each once, and returns those that were not there. `given` yields
 * (local, domain, reason, note); the weightiest reason counts. Writes in key order.
 */
export async function insertRecipients(
  tx: TenantTx,
  workspaceId: number,
  given: RawBuilder<unknown>,
): Promise<(AddressKey & { reason: string })[]> {
  const { rows } = await sql<AddressKey & { reason: string }>`
    insert into suppressions (workspace_id, local, domain, reason, note)
    select distinct on (domain collate "C", local collate "C") ${workspaceId}::bigint, local, domain, reason, note
    from (${given}) told
    order by domain collate "C", local collate "C", reason_weight(reason) desc, reason
    on conflict (workspace_id, domain, local) do nothing
    returning local, domain, reason`.execute(tx);
  return rows;
}

/** The contacts' addresses. `contacts` yields ids. */
export const addressesOf = (workspaceId: number, contacts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.domain, c.local from contacts c
  where c.workspace_id = ${workspaceId} and c.id in (${contacts})`;

/** Those of them that are not on the list yet, each once. */
export const newAddressesOf = (
  workspaceId: number,
  contacts: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select distinct a.domain, a.local from (${addressesOf(workspaceId, contacts)}) a
  where not exists (
    select from suppressions s
    where s.workspace_id = ${workspaceId} and s.domain = a.domain and s.local = a.local
  )`;

/**
 * Puts a set of addresses on the list and returns how many. `addresses` yields (domain, local).
 * Writes in key order, as every writer of this list does.
 */
export async function insertAddresses(
  tx: TenantTx,
  workspaceId: number,
  addresses: RawBuilder<unknown>,
  entry: { reason: string; createdBy: string | null; batchId?: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into suppressions (workspace_id, local, domain, reason, created_by, batch_id)
    select ${workspaceId}::bigint, local, domain, ${entry.reason}, ${entry.createdBy}, ${entry.batchId ?? null}::bigint
    from (${addresses}) added
    order by domain, local
    on conflict (workspace_id, domain, local) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** The entry of an address; with `isHeld`, as it is once whoever is changing it is done. */
export async function selectAddress(
  tx: TenantTx,
  workspaceId: number,
  key: AddressKey,
  { isHeld = false } = {},
): Promise<EmailSuppressionRow | undefined> {
  const { rows } = await sql<EmailSuppressionRow>`
    select ${emailColumns} from suppressions
    where workspace_id = ${workspaceId} and domain = ${key.domain} and local = ${key.local}
    ${isHeld ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/** Puts a domain on the list. None when it is already there. */
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

export type ListName = 'email' | 'domain';

/**
 * Rollup: updates the length of a list, in the transaction that changes it. `changes` yields (part,
 * entries), each part once: the reason of an entry, or the kind of a hash.
 */
export async function countEntries(
  tx: TenantTx,
  workspaceId: number,
  list: ListName | 'hash',
  changes: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into suppression_counts as c (workspace_id, list, part, entries)
    select ${workspaceId}::bigint, ${list}, part, entries from (${changes}) changed where entries <> 0
    order by part
    on conflict (workspace_id, list, part) do update set entries = c.entries + excluded.entries`.execute(tx);
}

/** This many more entries of one reason, or fewer. */
export const change = (reason: string, entries: number): RawBuilder<unknown> =>
  sql`select ${reason}::text as part, ${entries}::bigint as entries`;

/** These changes, each part once, in the form that `countEntries` takes. */
export const countsGiven = (counts: Iterable<{ part: string; entries: number }>): RawBuilder<unknown> => {
  const all = [...counts];
  return sql`
    select * from unnest(${all.map(({ part }) => part)}::text[], ${all.map(({ entries }) => entries)}::bigint[])
      as given (part, entries)`;
};

/** The lengths of all lists, from the rollup. */
export async function selectCounts(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ list: string; part: string; entries: number }[]> {
  const { rows } = await sql<{ list: string; part: string; entries: number }>`
    select list, part, entries from suppression_counts
    where workspace_id = ${workspaceId} and entries > 0 order by list, part`.execute(tx);
  return rows;
}
