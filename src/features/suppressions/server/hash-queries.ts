import { type RawBuilder, sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { giveReasons } from './reason-queries.ts';

/** Entries known only by a hash; see docs/decisions/0011-suppression-lists.md. */

/** Whether the workspace has any. */
export async function hasHashes(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from suppression_hashes where workspace_id = ${workspaceId}) as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/**
 * What a hash `h` says, as (reason, refuses_all), once the same hash is given again as `excluded`.
 */
export const nextOfHash: RawBuilder<unknown> = sql`
  select n.next_reason, n.next_refuses_all
  from entry_given(h.reason, h.refuses_all, null, excluded.reason, null,
    excluded.reason = 'bounced' or excluded.refuses_all, null) n`;

/**
 * The CTE `own` (local, domain, kind, hash): the hashes of addresses, of the kinds that the
 * workspace has. `keys` yields (local, domain). It is computed first and separately: within the
 * join PostgreSQL could not use the index.
 */
const hashesOf = (workspaceId: number, keys: Fragment): Fragment => sql`
  kinds as materialized (
    select kind from unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
    where (
      select true from suppression_hashes h
      where h.workspace_id = ${workspaceId} and h.kind = any_kind.kind
      -- The order makes PostgreSQL use the index. Without it, a kind with none reads all hashes.
      order by h.hash limit 1
    )
  ),
  own as materialized (
    select given.local, given.domain, kinds.kind,
      address_hash(kinds.kind, given.local, given.domain, k.key) as hash
    from (${keys}) given
    cross join kinds
    left join suppression_keys k on k.workspace_id = ${workspaceId}
    where given.domain <> ''
  )`;

/** What hashed lists say of addresses: (local, domain, reason, note). `keys` as above. */
export const givenByHashes = (workspaceId: number, keys: Fragment): Fragment => sql`
  with ${hashesOf(workspaceId, keys)}
  select own.local, own.domain, given.reason, 'Known from a hashed list' as note
  from own
  -- One by one, however many there seem to be: a join reads all hashes when it has no statistics.
  cross join lateral (
    select reason, refuses_all from suppression_hashes h
    where h.workspace_id = ${workspaceId} and h.kind = own.kind and h.hash = own.hash
    offset 0
  ) h
  cross join lateral (select h.reason union all select 'bounced' where h.refuses_all) given (reason)`;

/**
 * Gives entries that have just come in what hashed lists say of their addresses, and counts it. A
 * hash goes with its entry when that is lifted, and what it says must not go with it unseen. `keys`
 * yields (local, domain).
 */
export async function giveReasonsOfHashes(tx: TenantTx, workspaceId: number, keys: Fragment): Promise<void> {
  if (await hasHashes(tx, workspaceId)) await giveReasons(tx, workspaceId, givenByHashes(workspaceId, keys));
}

/**
 * Takes the hashes of these addresses off the hashed lists; otherwise a lifted address would still
 * be kept out. `keys` yields (local, domain).
 */
export async function deleteHashesOf(
  tx: TenantTx,
  workspaceId: number,
  keys: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with ${hashesOf(workspaceId, keys)},
    gone as (
      delete from suppression_hashes h using own
      where h.workspace_id = ${workspaceId} and h.kind = own.kind and h.hash = own.hash
      returning h.kind
    )
    update suppression_counts c set entries = c.entries - gone_by_kind.entries
    from (select kind, count(*) as entries from gone group by kind) gone_by_kind
    where c.workspace_id = ${workspaceId} and c.list = 'hash' and c.part = gone_by_kind.kind`.execute(tx);
}
