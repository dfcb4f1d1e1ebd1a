import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

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
 * Takes the hashes of these addresses off the hashed lists; otherwise a lifted address would still
 * be kept out. `keys` yields (domain, local). The hashes are computed first and separately: within
 * the join PostgreSQL could not use the index.
 */
export async function deleteHashesOf(
  tx: TenantTx,
  workspaceId: number,
  keys: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with own as materialized (
      select any_kind.kind, address_hash(any_kind.kind, given.local, given.domain, k.key) as hash
      from (${keys}) given
      cross join unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
      left join suppression_keys k on k.workspace_id = ${workspaceId}
    ),
    gone as (
      delete from suppression_hashes h using own
      where h.workspace_id = ${workspaceId} and h.kind = own.kind and h.hash = own.hash
      returning h.kind
    )
    update suppression_counts c set entries = c.entries - gone_by_kind.entries
    from (select kind, count(*) as entries from gone group by kind) gone_by_kind
    where c.workspace_id = ${workspaceId} and c.list = 'hash' and c.part = gone_by_kind.kind`.execute(tx);
}
