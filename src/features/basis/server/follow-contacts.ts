import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { ContactFollower } from '#platform/server/feature.ts';
import { basisOf, weightOf } from '../rules.ts';
import { canBeUndone, closeChange, openChange, selectMergeChanges } from './changes/change-queries.ts';
import { sayBases } from './changes/piece-queries.ts';
import { takeBackWhole } from './changes/undo-change.ts';
import { addedToCounts, holdBases } from './count-queries.ts';

/*
 * What becomes of the marketing basis when contacts go to the bin, come back, or become one. Each
 * runs in the transaction that moves the contacts, under the removals' lock.
 */
export const basisFollower: ContactFollower = {
  async left(tx, workspaceId, { gone }) {
    await holdBases(tx, workspaceId);
    // The ids are an array, not a join: with old statistics the planner would read all bases.
    await sql`
      with gone as (
        delete from contact_bases b
        where b.workspace_id = ${workspaceId} and b.contact_id = any(array(select g.id from (${gone}) g))
        returning b.*
      ),
      kept as (
        insert into former_bases (workspace_id, replaced_by, contact_id, basis, given_on, change_id)
        select workspace_id, 0, contact_id, basis, given_on, change_id from gone
      ),
      ${addedToCounts(workspaceId, sql`select basis, -count(*) as contacts from gone group by basis`)}
      select from gone limit 1`.execute(tx);
  },
  async cameBack(tx, workspaceId, ids) {
    await holdBases(tx, workspaceId);
    await sql`
      with kept as (
        delete from former_bases f
        where f.workspace_id = ${workspaceId} and f.replaced_by = 0 and f.contact_id = any(${[...ids]}::bigint[])
        returning f.*
      ),
      back as (
        insert into contact_bases (workspace_id, contact_id, basis, given_on, change_id)
        select workspace_id, contact_id, basis, given_on, change_id from kept
      ),
      ${addedToCounts(workspaceId, sql`select basis, count(*) as contacts from kept group by basis`)}
      select from kept limit 1`.execute(tx);
  },
  async merged(tx, workspaceId, { mergeId, keptId, otherIds }) {
    const said = await selectSaidOf(tx, workspaceId, [keptId, ...otherIds]);
    const taken = takenByKept(said, keptId);
    if (!taken) return;
    await holdBases(tx, workspaceId);
    const { source, givenOn, by } = taken;
    const own = { basis: basisOf(taken.basis), source, givenOn };
    const changeId = await openChange(tx, workspaceId, {
      ...own,
      how: 'merge',
      changedBy: by,
      sourceId: mergeId,
    });
    const chosen = sql`select ${keptId}::bigint as id`;
    await sayBases(tx, workspaceId, { ...own, changeId, chosen, onlyUnknown: false, isWhole: true });
    await closeChange(tx, workspaceId, changeId);
  },
  async unmerged(tx, workspaceId, { mergeId }) {
    for (const id of await selectMergeChanges(tx, workspaceId, mergeId)) {
      await takeBackWhole(tx, workspaceId, id);
      await sql`
        delete from basis_changes where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
    }
  },
};

interface Said {
  id: number;
  basis: number;
  source: string | null;
  givenOn: string | null;
  by: string | null;
  canBeUndone: boolean;
}

/** What the kept contact takes from another. Undefined when nothing of them counts more. */
function takenByKept(said: readonly Said[], keptId: number): Said | undefined {
  // The one that is kept comes first where both count the same.
  const [first, ...others] = said.toSorted(
    (one, other) =>
      weightOf(basisOf(other.basis)) - weightOf(basisOf(one.basis)) ||
      Number(other.id === keptId) - Number(one.id === keptId) ||
      one.id - other.id,
  );
  if (!first || first.basis === 0) return;
  if (first.id !== keptId) return first;
  // Another's none has to outlast the undo of its own.
  if (basisOf(first.basis) === 'none' && first.canBeUndone)
    return others.find(({ basis }) => basis === first.basis);
}

/** What is said of these contacts, or was when they went to the bin. */
async function selectSaidOf(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<Said[]> {
  const those = sql`workspace_id = ${workspaceId} and contact_id = any(${[...ids]}::bigint[])`;
  const { rows } = await sql<Said>`
    select b.contact_id as id, b.basis, h.source, b.given_on::text as "givenOn", h.changed_by as by,
      coalesce(${canBeUndone}, false) as "canBeUndone"
    from (
      select contact_id, basis, given_on, change_id from contact_bases where ${those}
      union all
      select contact_id, basis, given_on, change_id from former_bases where ${those} and replaced_by = 0
    ) b
    left join basis_changes h on h.workspace_id = ${workspaceId} and h.id = b.change_id`.execute(tx);
  return rows;
}
