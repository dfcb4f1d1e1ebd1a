import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type GroupKind, keyOf, membersOf } from '../group-kind.ts';

/*
 * A contact may be in a group for several reasons, and its row tells one. That of a merge gives way
 * to what people do, and takes the row again where that is undone. So no undo takes a contact out
 * that is in for another reason.
 */

/**
 * Whether others were merged into a contact. As a plain `in`, the planner may compare each contact
 * with all merges.
 */
const hasTakenIn = (workspaceId: number, contactId: Fragment): Fragment => sql`
  (${contactId} in (select kept_id from merges where workspace_id = ${workspaceId} and undone_at is null)) is true`;

/**
 * A statement that says of `chosen`, by id, that those who are in the group by a merge are in it by
 * this. Only contacts that others were merged into are looked up, however many were chosen.
 */
export const takenOver = (
  workspaceId: number,
  kind: GroupKind,
  groupId: number,
  { source, sourceId }: { source: string; sourceId: number },
): Fragment => sql`
  update ${membersOf(kind)} m set source = ${source}, source_id = ${sourceId}::bigint
  where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} and m.source = 'merge'
    and m.contact_id = any(array(
      select id from chosen
      where ${hasTakenIn(workspaceId, sql`id`)}
    ))
  returning m.contact_id`;

/**
 * Which of these memberships `l` (group_id, contact_id, added_at) a merge in force would have given
 * as well, had they not been there: the first such merge, and since when a contact that it removed
 * had the membership. `isMeant` is a condition on the merge `d` and that membership `w`.
 */
export const givenByMerges = (
  workspaceId: number,
  { kind }: GroupKind,
  rows: Fragment,
  isMeant: Fragment,
): Fragment => sql`
  select l.group_id, l.contact_id, g.merge_id, g.added_at
  from (${rows}) l cross join lateral (
    select d.id as merge_id, w.added_at
    from merges d
    join merged_contacts k on k.workspace_id = d.workspace_id and k.merge_id = d.id
    join removed_memberships w on w.workspace_id = d.workspace_id and w.change_id = 0 and w.kind = ${kind}
      and w.group_id = l.group_id and w.contact_id = k.contact_id and w.removal_id = d.removal_id
    where d.workspace_id = ${workspaceId} and d.kept_id = l.contact_id and d.undone_at is null
      and d.created_at > l.added_at and ${isMeant}
    order by d.id, w.added_at limit 1
  ) g
  where ${hasTakenIn(workspaceId, sql`l.contact_id`)}`;

const toMerge = sql`source = 'merge', source_id = given.merge_id, added_at = given.added_at`;

/** A statement that hands memberships to the merges that `given` names for them. */
export const handedOver = (workspaceId: number, kind: GroupKind): Fragment => sql`
  update ${membersOf(kind)} m set ${toMerge} from given
  where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = given.group_id and m.contact_id = given.contact_id`;

/**
 * The same for memberships `r` in the bin for which `isUndone` is true, and the end of those that
 * no merge gives.
 */
export async function forgetInBin(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { isUndone, isMeant }: { isUndone: Fragment; isMeant: Fragment },
): Promise<void> {
  const undone = sql`
    r.workspace_id = ${workspaceId} and r.change_id = 0 and r.kind = ${kind.kind} and ${isUndone}`;
  const rows = sql`select r.group_id, r.contact_id, r.added_at from removed_memberships r where ${undone}`;
  await sql`
    with given as materialized (${givenByMerges(workspaceId, kind, rows, isMeant)}),
    handed as (
      update removed_memberships r set ${toMerge} from given
      where r.workspace_id = ${workspaceId} and r.change_id = 0 and r.kind = ${kind.kind}
        and r.group_id = given.group_id and r.contact_id = given.contact_id
    )
    delete from removed_memberships r
    where ${undone} and (r.group_id, r.contact_id) not in (select group_id, contact_id from given)`.execute(
    tx,
  );
}
