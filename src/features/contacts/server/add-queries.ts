import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { ContactFields } from '../rules/contact-change.ts';
import { attributesAsText } from './change-queries.ts';

export interface NewContact extends ContactFields {
  local: string;
  domain: string;
  /** Null when it is local@domain. */
  address: string | null;
}

/**
 * Adds one valid contact with its line of search text and answers its id. Null when the address
 * already exists. Waits while another transaction is adding the same address.
 */
export async function insertContact(
  tx: TenantTx,
  workspaceId: number,
  contact: NewContact,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into contacts (workspace_id, local, domain, address, notes, name, first_name, last_name, attributes)
      values (${workspaceId}, ${contact.local}, ${contact.domain}, ${contact.address}, ${contact.notes},
              ${contact.name}, ${contact.firstName}, ${contact.lastName},
              ${attributesAsText(contact)}::jsonb)
      on conflict (workspace_id, domain, local) where state <> 2 do nothing
      returning id, local, domain
    ),
    searchable as (
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select ${workspaceId}, id, id, local || '@' || domain from added
    )
    select id from added`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Adds a suppression entry for a new, not yet counted contact if a hashed list contains it. Takes
 * the rollup lock exclusively if the workspace has hashed lists.
 */
export async function suppressHashed(tx: TenantTx, id: number): Promise<void> {
  await sql`select suppress_hashed_contacts(${id}, ${id})`.execute(tx);
}

/** Whether the workspace has suppressions known only by a hash. */
export async function hasHashedSuppressions(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<{ hashed: boolean }>`
    select exists (select from suppression_hashes where workspace_id = ${workspaceId}) as hashed`.execute(tx);
  return rows[0]?.hashed ?? false;
}

/**
 * Why an address may not be mailed: its own entry's reason, or the suppressed domain above it. Null
 * when it may be mailed.
 */
export async function selectSuppression(
  tx: TenantTx,
  workspaceId: number,
  key: { local: string; domain: string },
): Promise<{ reason: string } | { domain: string } | null> {
  const { rows } = await sql<{ reason: string | null; domain: string | null }>`
    select reason, null as domain from suppressions
    where workspace_id = ${workspaceId} and domain = ${key.domain} and local = ${key.local}
    union all
    select null, domain from domain_suppressions
    where workspace_id = ${workspaceId} and domain = any(domain_and_parents(${key.domain}))
    union all
    select reason, null from hashed_suppressions(${key.local}, ${key.domain})
    limit 1`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  return row.reason !== null ? { reason: row.reason } : { domain: row.domain ?? key.domain };
}
