import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { DnsFacts, PublicKey, Selector } from '../rules/facts.ts';

export interface DomainRow {
  id: number;
  domain: string;
  createdBy: string;
  createdAt: Date;
  facts: DnsFacts | null;
  checkedAt: Date | null;
}

export interface KeyRow extends PublicKey {
  domainId: number;
  sealedKey: string;
}

const domainColumns = sql`
  d.id, d.domain, d.created_by as "createdBy", d.created_at as "createdAt", d.facts, d.checked_at as "checkedAt"`;
const keyColumns = sql`
  k.domain_id as "domainId", k.selector, k.public_key as "publicKey", k.sealed_key as "sealedKey",
  k.made_at as "madeAt", k.seen_at as "seenAt", k.retired_at as "retiredAt"`;

/** The sender domains of a workspace, by name. */
export async function selectDomains(tx: TenantTx, workspaceId: number): Promise<DomainRow[]> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains d where d.workspace_id = ${workspaceId} order by d.domain`.execute(
    tx,
  );
  return rows;
}

/** Whether other workspaces have proved some of these domains, and the current one none. */
export async function areDomainsOfOthers(tx: TenantTx, domains: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ answer: boolean }>`
    select are_domains_of_others(${[...domains]}::text[]) as answer`.execute(tx);
  return rows[0]?.answer ?? false;
}

/**
 * One sender domain. With `lock`, nobody else changes it or its keys until the transaction ends.
 */
export async function selectDomain(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { lock = false } = {},
): Promise<DomainRow | undefined> {
  const { rows } = await sql<DomainRow>`
    select ${domainColumns} from sender_domains d
    where d.workspace_id = ${workspaceId} and d.id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/** The ids of the domains whose next reading is due. */
export async function selectDue(tx: TenantTx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from sender_domains d
    where d.workspace_id = ${workspaceId} and d.check_after <= now() order by d.check_after`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Adds a domain and answers its id. Undefined when it is there already. */
export async function insertDomain(
  tx: TenantTx,
  workspaceId: number,
  { domain, createdBy }: { domain: string; createdBy: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into sender_domains (workspace_id, domain, created_by)
    values (${workspaceId}, ${domain}, ${createdBy})
    on conflict (workspace_id, domain) do nothing
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** Removes a domain with its keys. */
export async function removeDomain(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`delete from sender_domains where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Keeps what was read, and when to read again. */
export async function keepFacts(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { facts, againInHours }: { facts: DnsFacts; againInHours: number },
): Promise<void> {
  await sql`
    update sender_domains set facts = ${JSON.stringify(facts)}::jsonb, checked_at = now(),
      check_after = now() + make_interval(hours => ${againInHours})
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The keys of all these domains, oldest first. */
export async function selectKeys(
  tx: TenantTx,
  workspaceId: number,
  domainIds: readonly number[],
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns} from sender_keys k
    where k.workspace_id = ${workspaceId} and k.domain_id = any(${domainIds})
    order by k.made_at, k.selector`.execute(tx);
  return rows;
}

/** The keys of the domains with these names, each with its domain. */
export async function selectKeysOf(
  tx: TenantTx,
  workspaceId: number,
  domains: readonly string[],
): Promise<(KeyRow & { domain: string })[]> {
  const { rows } = await sql<KeyRow & { domain: string }>`
    select ${keyColumns}, d.domain from sender_keys k
    join sender_domains d on d.workspace_id = k.workspace_id and d.id = k.domain_id
    where k.workspace_id = ${workspaceId} and d.domain = any(${domains})`.execute(tx);
  return rows;
}

/** Keeps a new key. */
export async function insertKey(
  tx: TenantTx,
  workspaceId: number,
  key: { domainId: number; selector: Selector; publicKey: string; sealedKey: string },
): Promise<void> {
  await sql`
    insert into sender_keys (workspace_id, domain_id, selector, public_key, sealed_key)
    values (${workspaceId}, ${key.domainId}, ${key.selector}, ${key.publicKey}, ${key.sealedKey})`.execute(
    tx,
  );
}

/** Notes that the record of a key has been seen. */
export async function markSeen(
  tx: TenantTx,
  workspaceId: number,
  { domainId, selector }: Pick<KeyRow, 'domainId' | 'selector'>,
): Promise<void> {
  await sql`
    update sender_keys set seen_at = coalesce(seen_at, now())
    where workspace_id = ${workspaceId} and domain_id = ${domainId} and selector = ${selector}`.execute(tx);
}

/** Retires every key of a domain but this one, which signs from now on. */
export async function retireOthers(
  tx: TenantTx,
  workspaceId: number,
  { domainId, selector }: Pick<KeyRow, 'domainId' | 'selector'>,
): Promise<void> {
  await sql`
    update sender_keys set retired_at = coalesce(retired_at, now())
    where workspace_id = ${workspaceId} and domain_id = ${domainId} and selector <> ${selector}`.execute(tx);
}

/** Deletes keys that were retired more than this many days ago. */
export async function removeRetired(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from sender_keys
    where workspace_id = ${workspaceId} and retired_at < now() - make_interval(days => ${days})`.execute(tx);
}

/** Every key of a workspace with its domain, locked until the transaction ends. */
export async function lockAllKeys(
  tx: TenantTx,
  workspaceId: number,
): Promise<(KeyRow & { domain: string })[]> {
  const { rows } = await sql<KeyRow & { domain: string }>`
    select ${keyColumns}, d.domain from sender_keys k
    join sender_domains d on d.workspace_id = k.workspace_id and d.id = k.domain_id
    where k.workspace_id = ${workspaceId} for update of k`.execute(tx);
  return rows;
}

/** Replaces the sealed form of a key by another of the same key. */
export async function updateSealed(
  tx: TenantTx,
  workspaceId: number,
  { domainId, selector, sealedKey }: Pick<KeyRow, 'domainId' | 'selector' | 'sealedKey'>,
): Promise<void> {
  await sql`
    update sender_keys set sealed_key = ${sealedKey}
    where workspace_id = ${workspaceId} and domain_id = ${domainId} and selector = ${selector}`.execute(tx);
}
