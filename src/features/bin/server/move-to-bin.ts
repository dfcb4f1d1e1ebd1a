import { sql } from 'kysely';
import { contactColumns, dropEmptyBlocks, takenOut } from '#features/contacts/server/index.ts';
import { contactsGone } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Companions } from './companions.ts';
import {
  closeRemoval,
  everyId,
  holdRemovals,
  type IdRange,
  isWithin,
  type NewRemoval,
  openRemoval,
} from './removal-queries.ts';
/**
 * A whole removal in one transaction, for a few thousand contacts. Answers null when there was
 * nothing to remove.
 */
export async function moveToBin(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  removal: NewRemoval,
  companions: Companions,
): Promise<{ id: number; contacts: number } | null> {
  const id = await openRemoval(tx, workspaceId, removal);
  await moveIntoRemoval(tx, workspaceId, id, chosen, { companions });
  return closeRemoval(tx, workspaceId, id);
}

/**
 * From this many contacts on, a removal also drops search text that no longer leads to any contact.
 */
const largeRemoval = 1000;

interface MoveOptions {
  companions: Companions;
  /** Why a contact `c` is removed. */
  reason?: Fragment;
  /** The range of ids that can be among these contacts, if the removal already holds others. */
  within?: IdRange;
}

/**
 * Moves the contacts `c` for which `chosen` is true into an open removal, updates the rollups and
 * stores the reason. Answers how many there were. At most once per transaction.
 */
export async function moveIntoRemoval(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  chosen: Fragment,
  { companions, reason = sql`null::smallint`, within = everyId }: MoveOptions,
): Promise<number> {
  await holdRemovals(tx, workspaceId);
  const moved = await sql`
    with gone as (${takenOut(workspaceId, chosen, sql`${reason} as reason`)})
    insert into removed_contacts (workspace_id, removal_id, ${contactColumns}, reason)
    select ${workspaceId}, ${removalId}::bigint, ${contactColumns}, reason from gone`.execute(tx);
  const contacts = Number(moved.numAffectedRows ?? 0);
  if (contacts === 0) return 0;
  await sql`
    update removals set contacts = contacts + ${contacts}
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
  const gone = sql`
    select r.id, r.local, r.domain, r.state from removed_contacts r
    where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(within)}`;
  await companions.verdicts.forget(tx, workspaceId, gone);
  for (const follower of companions.followers()) {
    await follower.left(tx, workspaceId, { gone, removalId });
  }
  if (contacts >= largeRemoval) await dropEmptyBlocks(tx, workspaceId, gone);
  // Last, because from here to the commit everybody who adds or removes a contact waits for the
  // workspace's row of counts.
  await contactsGone(tx, workspaceId, gone);
  return contacts;
}
