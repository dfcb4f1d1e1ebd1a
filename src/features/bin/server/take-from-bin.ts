import { sql } from 'kysely';
import { contactColumns, makeFindableAgain, putBack } from '#features/contacts/server/index.ts';
import { contactsAdded } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { everyId, holdRemovals, type IdRange, isWithin } from './removal-queries.ts';
import type { VerdictKeeper } from './verdict-keeper.ts';
/**
 * Puts a removal's contacts within a range back under their old ids, with search text and rollups,
 * empties that part of the bin and answers which came back. Each remembers from which removal. An
 * address that exists again stays as it is. At most once a transaction.
 */
export async function takeFromBin(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  verdicts: VerdictKeeper,
  range: IdRange = everyId,
): Promise<number[]> {
  await holdRemovals(tx, workspaceId);
  const inBin = sql`r.workspace_id = ${workspaceId} and r.removal_id = ${removalId} and ${isWithin(range)}`;
  const back = await putBack(
    tx,
    sql`select ${contactColumns}, r.removal_id, r.workspace_id from removed_contacts r
        where ${inBin} order by r.domain, r.local`,
  );
  if (back.length > 0) {
    await makeFindableAgain(tx, workspaceId, sql`select r.id from removed_contacts r where ${inBin}`);
    // Whoever calls may give them verdicts, whose lock comes before that of the rollups.
    await verdicts.hold(tx, workspaceId);
    await contactsAdded(
      tx,
      workspaceId,
      sql`select r.domain, r.local, r.state from removed_contacts r
          where ${inBin} and exists (select from (${contactOf(workspaceId)}) back)`,
    );
  }
  await sql`delete from removed_contacts r where ${inBin}`.execute(tx);
  await sql`
    update removals set restored_at = coalesce(restored_at, now()), restored = restored + ${back.length}
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
  return back;
}

/**
 * The contact with the id of `r`. The order and the limit change nothing: they keep the planner to
 * one look at the index for each row. Just after a first import it takes the workspace for a single
 * row, and would read all of it anew for each.
 */
const contactOf = (workspaceId: number): Fragment => sql`
  select from contacts c where c.workspace_id = ${workspaceId} and c.id = r.id order by c.id limit 1`;
