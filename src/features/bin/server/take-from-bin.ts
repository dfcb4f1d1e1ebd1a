import { sql } from 'kysely';
import { contactColumns, makeFindableAgain, putBack } from '#features/contacts/server/index.ts';
import { contactsAdded } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';
import type { Companions } from './companions.ts';
import { everyId, holdRemovals, type IdRange, isWithin, noteRestored } from './removal-queries.ts';

/**
 * How long contacts wait to come back while an import adds one of their addresses. It holds that
 * until it is done, and whoever removes or corrects contacts waits for the removals meanwhile.
 */
const patienceMs = 800;
const isBeingAdded = 'One of these addresses is being added at this moment. Try again.';

/**
 * Puts a removal's contacts within a range back under their old ids, with search text and rollups.
 * Answers which ones came back. Each remembers the removal it came from. An address that exists
 * again stays as it is, and its old contact stays in the bin, with all that only it has. At most
 * once per transaction.
 * @throws LockBusy when somebody is adding one of the addresses.
 */
export async function takeFromBin(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  companions: Companions,
  range: IdRange = everyId,
): Promise<number[]> {
  await holdRemovals(tx, workspaceId);
  const inBin = sql`r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}`;
  const kept = sql`
    select ${contactColumns}, r.removal_id, r.workspace_id from removed_contacts r
    where ${inBin} order by r.domain, r.local`;
  const back = await waitAtMost(tx, patienceMs, isBeingAdded, () => putBack(tx, kept));
  if (back.length > 0) {
    await makeFindableAgain(tx, workspaceId, sql`select r.id from removed_contacts r where ${inBin}`);
    // The caller may give them verdicts, whose lock comes before the rollup lock.
    await companions.verdicts.hold(tx, workspaceId);
    for (const follower of companions.followers()) await follower.cameBack(tx, workspaceId, back);
    await contactsAdded(
      tx,
      workspaceId,
      sql`select r.domain, r.local, r.state from removed_contacts r
          where ${inBin} and exists (select from (${contactOf(workspaceId)}) back)`,
    );
  }
  await sql`delete from removed_contacts r where ${inBin} and r.id = any(${back}::bigint[])`.execute(tx);
  await noteRestored(tx, workspaceId, removalId, back.length);
  return back;
}

/**
 * The contact with the id of `r`. The order and the limit do not change the result. They make the
 * planner look up the index once for each row. Just after a first import the planner assumes the
 * workspace has a single row, and would read the whole workspace for each row.
 */
const contactOf = (workspaceId: number): Fragment => sql`
  select from contacts c where c.workspace_id = ${workspaceId} and c.id = r.id order by c.id limit 1`;
