import type { TenantTx } from '#platform/server/database.ts';
import type { ContactFollower } from '#platform/server/feature.ts';
import type { Companions } from './companions.ts';

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
