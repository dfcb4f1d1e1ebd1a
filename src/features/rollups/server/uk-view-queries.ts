import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/**
 * What the counts of a workspace's domains were last made from, and when the books last changed.
 */
export async function selectUkCounts(
  tx: TenantTx,
  workspaceId: number,
): Promise<{
  books: string;
  domains: number;
  basis: string | null;
  counts: unknown;
  countedAt: Date | null;
}> {
  const { rows } = await sql<{
    books: string;
    domains: number;
    basis: string | null;
    counts: unknown;
    countedAt: Date | null;
  }>`
    select coalesce(c.updated_at::text, '') as books, coalesce(c.domains, 0) as domains, u.basis, u.counts,
           u.counted_at as "countedAt"
    from (select ${workspaceId}::bigint as workspace_id) one
    left join contact_counts c using (workspace_id) left join uk_counts u using (workspace_id)`.execute(tx);
  return rows[0] ?? { books: '', domains: 0, basis: null, counts: null, countedAt: null };
}

/** Stores the counts with what they were made from. */
export async function keepUkCounts(
  tx: TenantTx,
  workspaceId: number,
  basis: string,
  counts: object,
): Promise<void> {
  await sql`
    insert into uk_counts (workspace_id, basis, counts) values (${workspaceId}, ${basis}, ${JSON.stringify(counts)}::jsonb)
    on conflict (workspace_id) do update
    set basis = excluded.basis, counts = excluded.counts, counted_at = now()`.execute(tx);
}
