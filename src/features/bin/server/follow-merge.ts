import { sql } from 'kysely';
import type { StoredFields } from '#features/contacts/rules/contact-change.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ContactFollower } from '#platform/server/feature.ts';
import type { Companions } from './companions.ts';
import { holdRemovals } from './removal-queries.ts';

/** Tells whoever follows contacts that some were merged into one. */
export async function followMerge(
  { followers }: Companions,
  tx: TenantTx,
  workspaceId: number,
  merge: Parameters<ContactFollower['merged']>[2],
): Promise<void> {
  for (const follower of followers()) await follower.merged(tx, workspaceId, merge);
}

/** Tells them that a merge was undone. The caller holds the removals. */
export async function followUnmerge(
  { followers }: Companions,
  tx: TenantTx,
  workspaceId: number,
  merge: Parameters<ContactFollower['unmerged']>[2],
): Promise<void> {
  for (const follower of followers()) await follower.unmerged(tx, workspaceId, merge);
}

/**
 * Changes the fields of a contact in the bin as `decide` says; null leaves them. Does nothing when
 * no removal from `since` on holds it. Only its removal leads to it, so each of those is asked by
 * index, the newest first.
 */
export async function changeInBin(
  tx: TenantTx,
  workspaceId: number,
  { id, since }: { id: number; since: number },
  decide: (before: StoredFields) => StoredFields | null,
): Promise<void> {
  await holdRemovals(tx, workspaceId);
  const { rows } = await sql<StoredFields & { removalId: number }>`
    select m.id as "removalId", r.* from removals m
    cross join lateral (
      select x.name, x.first_name as "firstName", x.last_name as "lastName", x.source, x.date, x.notes,
             coalesce(x.attributes, '{}') as attributes
      from removed_contacts x
      where x.workspace_id = ${workspaceId} and x.removal_id = m.id and x.id = ${id} order by x.id limit 1
    ) r
    where m.workspace_id = ${workspaceId} and m.id >= ${since} order by m.id desc limit 1`.execute(tx);
  const [found] = rows;
  if (!found) return;
  const { removalId, ...before } = found;
  const after = decide(before);
  if (!after) return;
  await sql`
    update removed_contacts set name = ${after.name}, first_name = ${after.firstName},
      last_name = ${after.lastName}, source = ${after.source}, date = ${after.date}, notes = ${after.notes},
      attributes = nullif(${JSON.stringify(after.attributes)}::jsonb, '{}'), changed_at = now()
    where workspace_id = ${workspaceId} and removal_id = ${removalId} and id = ${id}`.execute(tx);
}
