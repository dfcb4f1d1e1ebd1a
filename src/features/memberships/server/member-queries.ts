import { sql } from 'kysely';
import type { memberSources } from '#features/contacts/contract.ts';
import { averageWorkspace, type Fragment, type TenantTx } from '#platform/server/database.ts';
import { forgetInBin, givenByMerges, handedOver, takenOver } from './changes/by-merges.ts';
import { forgetRemoved } from './changes/forget-removed.ts';
import { hasLeft, leftOf } from './changes/leavings.ts';
import { type GroupKind, keyOf, membersNoted, membersOf } from './group-kind.ts';
import { addedToCounts } from './group-queries.ts';

/*
 * Adds contacts to a group and takes them out. Each statement moves the group's count with it. The
 * caller holds the removals, so that nobody removes or restores one of the contacts meanwhile.
 */

/** One piece of work on a group. `chosen` yields the ids of contacts. */
export interface Piece {
  groupId: number;
  chosen: Fragment;
}

/** What a statement came across. */
export interface Looked {
  looked: number;
  /** The highest id among these. Null when there were none. */
  last: number | null;
  /** How many it added, or took out. */
  changed: number;
}

/** The same of an addition. */
export interface LookedToAdd extends Looked {
  /** How many were passed over, because they have left the group themselves. */
  leftOut: number;
}

const countOf = (groupId: number, rows: Fragment): Fragment =>
  sql`select ${groupId}::bigint as id, count(*) as contacts from ${rows}`;

/**
 * Adds contacts that are not there yet and have not left the group themselves. With `isKept`, it
 * also answers which ones, and which were there by a merge and are now by this.
 */
export async function addMembers(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  {
    groupId,
    chosen,
    source,
    sourceId,
    isKept,
  }: Piece & { source: (typeof memberSources)[number]; sourceId: number; isKept: boolean },
): Promise<LookedToAdd & { ids: number[] | null }> {
  const either = sql`array(select contact_id from added union all select contact_id from taken_over)`;
  const { rows } = await sql<LookedToAdd & { ids: string[] | null }>`
    with chosen as materialized (${chosen}),
    left_out as materialized (${leftOf(workspaceId, kind, groupId, 'chosen')}),
    added as (
      insert into ${membersOf(kind)} (workspace_id, ${keyOf(kind)}, contact_id, source, source_id)
      select ${workspaceId}::bigint, ${groupId}::bigint, id, ${source}, ${sourceId}::bigint from chosen
      where id not in (select id from left_out) order by id
      on conflict do nothing returning contact_id
    ),
    taken_over as (${takenOver(workspaceId, kind, groupId, { source, sourceId })}),
    noted as (${membersNoted(workspaceId, kind, groupId, 'added', sql`added`)}),
    counted as (${addedToCounts(workspaceId, kind, countOf(groupId, sql`added`))})
    select (select count(*) from chosen) as looked, (select max(id) from chosen) as last,
      (select count(*) from added) as changed, (select count(*) from left_out) as "leftOut",
      ${isKept ? either : sql`null::bigint[]`} as ids`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('contacts were added without an answer');
  return { ...row, ids: row.ids?.map(Number) ?? null };
}

/** Takes contacts out and keeps what stood there under the number of the change. */
export async function removeMembers(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, chosen, changeId }: Piece & { changeId: number },
): Promise<Looked> {
  const { rows } = await sql<Looked>`
    with chosen as materialized (${chosen}),
    gone as (
      delete from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId}
        and m.contact_id = any(array(select id from chosen))
      returning m.contact_id, m.added_at, m.source, m.source_id
    ),
    kept as (
      insert into removed_memberships (workspace_id, change_id, kind, group_id, contact_id, added_at, source, source_id)
      select ${workspaceId}::bigint, ${changeId}::bigint, ${kind.kind}, ${groupId}::bigint, gone.* from gone
    ),
    noted as (${membersNoted(workspaceId, kind, groupId, 'removed', sql`gone`)}),
    counted as (${addedToCounts(workspaceId, kind, fewer(groupId, sql`gone`))})
    select (select count(*) from chosen) as looked, (select max(id) from chosen) as last,
      (select count(*) from gone) as changed`.execute(tx);
  return rows[0] as Looked;
}

const fewer = (groupId: number, rows: Fragment): Fragment =>
  sql`select ${groupId}::bigint as id, -count(*) as contacts from ${rows}`;

/** The next members of a group, in the order of their ids, for which `chosen` is true of `c`. */
export const nextMembers = (
  workspaceId: number,
  kind: GroupKind,
  groupId: number,
  { chosen, after, upTo, limit }: { chosen: Fragment; after: number; upTo: number; limit: number },
): Fragment => sql`
  select c.id from ${membersOf(kind)} m
  join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
  where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId}
    and m.contact_id > ${after} and m.contact_id <= ${upTo} and (${chosen})
  order by m.contact_id limit ${limit}`;

/** The sources whose number is that of a change. */
const isOfChange = (changeId: number, row: string): Fragment => sql`(
  ${sql.ref(`${row}.source_id`)} = ${changeId}
  and ${sql.ref(`${row}.source`)} in ('chosen', 'filter', 'pasted', 'api'))`;

/** That an import put the contact of a membership there. */
export const isOfImport = (importId: number, row: string): Fragment => sql`(
  ${sql.ref(`${row}.source_id`)} = ${importId} and ${sql.ref(`${row}.source`)} = 'import')`;

/**
 * The end of a statement that takes out whoever of `looked` is meant, unless a merge puts them
 * there as well. `isOther` says that a membership `w` came another way.
 */
const takenOut = (workspaceId: number, kind: GroupKind, groupId: number, isOther: Fragment): Fragment => {
  const meant = sql`select ${groupId}::bigint as group_id, contact_id, added_at from looked where is_meant`;
  return sql`
    given as materialized (${givenByMerges(workspaceId, kind, meant, isOther)}),
    handed as (${handedOver(workspaceId, kind)}),
    gone as (
      delete from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} and m.contact_id = any(array(
        select contact_id from looked where is_meant and contact_id not in (select contact_id from given)
      ))
      returning m.contact_id, m.added_at, m.source, m.source_id
    ),
    noted as (${membersNoted(workspaceId, kind, groupId, 'removed', sql`gone`)}),
    counted as (${addedToCounts(workspaceId, kind, fewer(groupId, sql`gone`))})`;
};

/** Takes out again what a change added, of these contacts or of the next ones in the group. */
export async function takeBackAdded(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  {
    groupId,
    changeId,
    of,
  }: { groupId: number; changeId: number; of: number[] | { after: number; limit: number } },
): Promise<Looked> {
  const which = Array.isArray(of)
    ? sql`and m.contact_id = any(${of}::bigint[])`
    : sql`and m.contact_id > ${of.after} order by m.contact_id limit ${of.limit}`;
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select m.contact_id, m.added_at, ${isOfChange(changeId, 'm')} as is_meant from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} ${which}
    ),
    ${takenOut(workspaceId, kind, groupId, sql`not ${isOfChange(changeId, 'w')}`)}
    select (select count(*) from looked) as looked, (select max(contact_id) from looked) as last,
      (select count(*) from gone) as changed`.execute(tx);
  return rows[0] as Looked;
}

/**
 * Takes out what an import added, of the next contacts in the group, and keeps it under the number
 * of the change.
 */
export async function takeOutImported(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  {
    groupId,
    importId,
    changeId,
    after,
    limit,
  }: { groupId: number; importId: number; changeId: number; after: number; limit: number },
): Promise<Looked> {
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select m.contact_id, m.added_at, ${isOfImport(importId, 'm')} as is_meant from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} and m.contact_id > ${after}
      order by m.contact_id limit ${limit}
    ),
    ${takenOut(workspaceId, kind, groupId, sql`not ${isOfImport(importId, 'w')}`)},
    kept as (
      insert into removed_memberships (workspace_id, change_id, kind, group_id, contact_id, added_at, source, source_id)
      select ${workspaceId}::bigint, ${changeId}::bigint, ${kind.kind}, ${groupId}::bigint, gone.* from gone
    )
    select (select count(*) from looked) as looked, (select max(contact_id) from looked) as last,
      (select count(*) from gone) as changed`.execute(tx);
  return rows[0] as Looked;
}

/** A range of contacts: those after one id, up to and including another. */
export interface Stretch {
  after: number;
  upTo: number;
}

/**
 * The contacts that a piece of work is answerable for: those it looked at, and whoever has an id
 * between theirs. The last piece is answerable for all that follow.
 */
export const stretchOf = (after: number, { last }: Looked, isLast: boolean): Stretch => ({
  after,
  upTo: isLast || last === null ? Number.MAX_SAFE_INTEGER : last,
});

/**
 * The same for contacts of a piece that are in the bin meanwhile, or were taken out by others. Each
 * piece asks, because contacts go to the bin and come back between two of them.
 */
export async function forgetAdded(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, changeId, of }: { groupId: number; changeId: number; of: number[] | Stretch },
): Promise<void> {
  const isAmong = Array.isArray(of)
    ? sql`r.contact_id = any(${of}::bigint[])`
    : sql`r.contact_id > ${of.after} and r.contact_id <= ${of.upTo}`;
  const isUndone = sql`r.group_id = ${groupId} and ${isAmong} and ${isOfChange(changeId, 'r')}`;
  await forgetInBin(tx, workspaceId, kind, { isUndone, isMeant: sql`not ${isOfChange(changeId, 'w')}` });
  await forgetRemoved(tx, workspaceId, kind, isUndone);
}

/**
 * Puts the next contacts back that a change took out, unless they have left by themselves since.
 * Who is there by a merge meanwhile is there again by what was before. One that is in the bin
 * meanwhile is put back when it comes back, under the same condition.
 */
export async function putBackRemoved(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, changeId, limit }: { groupId: number; changeId: number; limit: number },
): Promise<Looked> {
  const columns = sql.raw('contact_id, added_at, source, source_id');
  const { rows } = await sql<Looked>`
    with taken as (
      delete from removed_memberships r
      where r.workspace_id = ${workspaceId} and r.change_id = ${changeId} and r.kind = ${kind.kind}
        and r.group_id = ${groupId} and r.contact_id = any(array(
          select n.contact_id from removed_memberships n
          where n.workspace_id = ${workspaceId} and n.change_id = ${changeId} and n.kind = ${kind.kind}
            and n.group_id = ${groupId}
          order by n.contact_id limit ${limit}
        ))
      returning r.contact_id, r.added_at, r.source, r.source_id
    ),
    present as materialized (
      select c.id from contacts c
      where c.workspace_id = ${workspaceId} and c.id = any(array(select contact_id from taken))
        and not ${hasLeft(workspaceId, kind, groupId, 'c')}
    ),
    back as (
      insert into ${membersOf(kind)} (workspace_id, ${keyOf(kind)}, ${columns})
      select ${workspaceId}::bigint, ${groupId}::bigint, ${columns} from taken
      -- Else the planner, which expects one row of each, would compare each with all.
      where (contact_id in (select id from present)) is true
      on conflict do nothing returning contact_id
    ),
    by_merge as materialized (
      select m.contact_id from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} and m.source = 'merge'
        and m.contact_id = any(array(select contact_id from taken where source <> 'merge'))
    ),
    taken_over as (
      update ${membersOf(kind)} m set added_at = t.added_at, source = t.source, source_id = t.source_id
      from taken t
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId}
        and m.contact_id = any(array(select contact_id from by_merge)) and m.contact_id = t.contact_id
    ),
    binned as (
      insert into removed_memberships as r (workspace_id, change_id, kind, group_id, ${columns}, removal_id)
      select ${workspaceId}::bigint, 0, ${kind.kind}, ${groupId}::bigint, t.contact_id, t.added_at, t.source, t.source_id, b.removal_id
      from taken t join removed_contacts b on b.workspace_id = ${averageWorkspace(workspaceId)} and b.id = t.contact_id
      where t.contact_id not in (select id from present)
      on conflict (workspace_id, change_id, kind, group_id, contact_id) do update
        set added_at = excluded.added_at, source = excluded.source, source_id = excluded.source_id
        where r.source = 'merge' and excluded.source <> 'merge'
    ),
    noted as (${membersNoted(workspaceId, kind, groupId, 'added', sql`back`)}),
    counted as (${addedToCounts(workspaceId, kind, countOf(groupId, sql`back`))})
    select (select count(*) from taken) as looked, (select max(contact_id) from taken) as last,
      (select count(*) from back) as changed`.execute(tx);
  return rows[0] as Looked;
}
