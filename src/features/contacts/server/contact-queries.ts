import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { StoredContact, StoredVerification } from '../rules.ts';
import { contactsWithSuppression, type Fragment, isSuppressed } from './filter-queries.ts';

type ContactRow = Omit<StoredContact, 'verification'> & {
  [Key in keyof StoredVerification]: StoredVerification[Key] | null;
};

function withVerification(row: ContactRow): StoredContact {
  const { verdict, reasons, risk, kind, uk, checkedAt, suggestion, ...contact } = row;
  const isVerified = verdict !== null && reasons !== null && risk !== null && checkedAt !== null;
  const verification = isVerified ? { verdict, reasons, risk, kind, uk, checkedAt, suggestion } : null;
  return { ...contact, verification };
}

/** When the verdict was last found true: for its own sake, or by a run over all contacts, which writes only what differs. */
const checkedAt: Fragment = sql`greatest(v.checked_at, (
  select max(r.started_at) from verification_runs r
  where r.workspace_id = v.workspace_id and r.whole and r.finished_at is not null and r.through_id >= v.contact_id
))`;

const suggestion: Fragment = sql`(
  select g.to_local || '@' || g.to_domain from contact_suggestions g
  where g.workspace_id = c.workspace_id and g.contact_id = c.id
)`;

/** These contacts with their suppression, in the order of `ids`; those that are not there are left out. */
export async function selectContacts(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<StoredContact[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ContactRow>`
    select c.id, c.local, c.domain, c.address, c.state, ${isSuppressed} as "isSuppressed", c.name, c.source, c.date,
           c.attributes, c.notes, c.import_id as "importId", c.created_at as "createdAt",
           p.verdict, p.reasons, p.risk, p.kind, p.uk, ${checkedAt} as "checkedAt", ${suggestion} as suggestion
    from ${contactsWithSuppression}
    left join contact_verifications v on v.workspace_id = c.workspace_id and v.contact_id = c.id
    left join verdict_profiles p on p.workspace_id = v.workspace_id and p.id = v.profile_id
    where c.workspace_id = ${workspaceId} and c.id = any(${[...ids]}::bigint[])`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, withVerification(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export interface NewContact {
  local: string;
  domain: string;
  /** Null when it is local@domain. */
  address: string | null;
  notes: string | null;
}

/**
 * Adds one valid contact with its line of search text and answers its id; null when the address is there already. Waits
 * while another transaction is adding the same address, at most `patienceMs` (then error 55P03).
 */
export async function insertContact(
  tx: TenantTx,
  workspaceId: number,
  contact: NewContact,
  patienceMs: number,
): Promise<number | null> {
  await sql`set local lock_timeout = ${sql.lit(patienceMs)}`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into contacts (workspace_id, local, domain, address, notes)
      values (${workspaceId}, ${contact.local}, ${contact.domain}, ${contact.address}, ${contact.notes})
      on conflict (workspace_id, domain, local) where state <> 2 do nothing
      returning id, local, domain
    ),
    searchable as (
      insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
      select ${workspaceId}, id, id, local || '@' || domain from added
    )
    select id from added`.execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Gives contacts that were just added, and are not counted yet, their entries on the suppression list where a hashed list has
 * them. Takes the rollup lock exclusively where there are hashed lists; answers whether there are any.
 */
export async function suppressHashed(tx: TenantTx, workspaceId: number, id: number): Promise<boolean> {
  const { rows } = await sql<{ hashed: boolean }>`
    select suppress_hashed_contacts(${id}, ${id}),
           exists (select from suppression_hashes where workspace_id = ${workspaceId}) as hashed`.execute(tx);
  return rows[0]?.hashed ?? false;
}

/** Whether the workspace has entries that are known by a hash alone. */
export async function hasHashedSuppressions(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<{ hashed: boolean }>`
    select exists (select from suppression_hashes where workspace_id = ${workspaceId}) as hashed`.execute(tx);
  return rows[0]?.hashed ?? false;
}

/** Why an address may not be mailed: its own entry's reason, or the suppressed domain it is under; null when it may. */
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
