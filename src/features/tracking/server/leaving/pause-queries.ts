import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

export interface AddressKey {
  local: string;
  domain: string;
}

/**
 * Why the contact `c` gets no marketing just now, although nothing suppresses it: `suppressed` for
 * somebody who has left and is not on the suppression list yet, `paused` for somebody who takes a
 * break. Null when it gets it. The ledger asks at the hand-over.
 */
export const staysAway: Fragment = sql`case
  when exists (
    select from leave_wishes w
    where w.workspace_id = c.workspace_id and w.domain = c.domain and w.local = c.local and w.done_at is null
  ) then 'suppressed'
  when exists (
    select from mailing_pauses p
    where p.workspace_id = c.workspace_id and p.domain = c.domain and p.local = c.local
      and p.until > clock_timestamp()
  ) then 'paused' end`;

/** True for the contacts `c` who take a break. Null where nobody of the workspace does. */
export async function pausesIn(tx: TenantTx, workspaceId: number): Promise<Fragment | null> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from mailing_pauses where workspace_id = ${workspaceId} and until > clock_timestamp()
    ) as has`.execute(tx);
  if (!rows[0]?.has) return null;
  return sql`(c.domain, c.local) in (
    select p.domain, p.local from mailing_pauses p
    where p.workspace_id = ${workspaceId} and p.until > clock_timestamp())`;
}

/** Until when an address takes a break. */
export async function selectPause(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select until from mailing_pauses
    where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
      and until > clock_timestamp()`.execute(tx);
  return rows[0]?.until ?? null;
}

/** Sends an address no marketing for some months. */
export async function upsertPause(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
  months: number,
): Promise<void> {
  await sql`
    insert into mailing_pauses (workspace_id, domain, local, until)
    values (${workspaceId}, ${domain}, ${local}, clock_timestamp() + make_interval(months => ${months}::int))
    on conflict (workspace_id, domain, local) do update
    set until = excluded.until, created_at = excluded.created_at`.execute(tx);
}

/**
 * For contacts that get another address, or several that become one: whoever took a break takes it
 * there too, the longer one of two. `pairs` yields (from_local, from_domain, to_local, to_domain).
 */
export async function carryPauses(tx: TenantTx, workspaceId: number, pairs: Fragment): Promise<void> {
  await sql`
    insert into mailing_pauses as m (workspace_id, domain, local, until, created_at)
    select distinct on (p.to_domain, p.to_local) ${workspaceId}::bigint, p.to_domain, p.to_local, q.until, q.created_at
    from (${pairs}) p
    join mailing_pauses q on q.workspace_id = ${workspaceId} and q.domain = p.from_domain and q.local = p.from_local
    where q.until > clock_timestamp()
    order by p.to_domain, p.to_local, q.until desc
    on conflict (workspace_id, domain, local) do update
    set until = excluded.until, created_at = excluded.created_at
    where m.until < excluded.until`.execute(tx);
}

/** From one address to each of these, for `carryPauses` and its like. */
export const pairsFrom = (from: AddressKey, to: readonly AddressKey[]): Fragment => sql`
  select ${from.local}::text as from_local, ${from.domain}::text as from_domain, to_local, to_domain
  from unnest(${to.map(({ local }) => local)}::text[], ${to.map(({ domain }) => domain)}::text[])
    as own (to_local, to_domain)`;

/** Ends the pause of an address. */
export async function deletePause(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: AddressKey,
): Promise<void> {
  await sql`
    delete from mailing_pauses
    where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}`.execute(tx);
}

/** Forgets the pauses that are over. */
export async function deleteOldPauses(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`delete from mailing_pauses where workspace_id = ${workspaceId} and until < clock_timestamp()`.execute(
    tx,
  );
}
