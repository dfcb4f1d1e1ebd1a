import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ContactFollower } from '#platform/server/feature.ts';
import { forgetInBin, givenByMerges, handedOver } from './changes/by-merges.ts';
import { forgetRemoved } from './changes/forget-removed.ts';
import { hasLeft } from './changes/leavings.ts';
import { type GroupKind, keyOf, membersOf } from './group-kind.ts';
import { addedToCounts } from './group-queries.ts';

/*
 * What becomes of memberships when contacts go to the bin, come back, or become one. Each runs in
 * the transaction that moves the contacts, under the removals' lock.
 */

/** Follows the contacts for every kind of group. */
export const followerOf = (kinds: () => Iterable<GroupKind>): ContactFollower => {
  const each = async (work: (kind: GroupKind) => Promise<void>) => {
    for (const kind of kinds()) await work(kind);
  };
  return {
    left: (tx, workspaceId, removed) => each((kind) => leave(tx, workspaceId, kind, removed)),
    cameBack: (tx, workspaceId, ids) => each((kind) => comeBack(tx, workspaceId, kind, ids)),
    merged: (tx, workspaceId, merge) => each((kind) => unite(tx, workspaceId, kind, merge)),
    unmerged: (tx, workspaceId, merge) => each((kind) => part(tx, workspaceId, kind, merge)),
  };
};

/** How many of these rows each group has. */
const perGroup = (kind: GroupKind, rows: Fragment, sign: '' | '-' = ''): Fragment =>
  sql`select ${keyOf(kind)} as id, ${sql.raw(sign)}count(*) as contacts from ${rows} group by 1`;

/** Keeps the memberships of contacts that were just removed. */
async function leave(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { gone, removalId }: { gone: Fragment; removalId: number },
): Promise<void> {
  // The ids are an array, not a join: with old statistics the planner would read all memberships.
  await sql`
    with gone as (
      delete from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and m.contact_id = any(array(select g.id from (${gone}) g))
      returning m.*
    ),
    kept as (
      insert into removed_memberships
        (workspace_id, change_id, kind, group_id, contact_id, added_at, source, source_id, removal_id)
      select workspace_id, 0, ${kind.kind}, ${keyOf(kind)}, contact_id, added_at, source, source_id, ${removalId}::bigint
      from gone
    )
    ${addedToCounts(workspaceId, kind, perGroup(kind, sql`gone`, '-'))}`.execute(tx);
}

/**
 * Gives contacts that are there again their memberships back, except those that their readers have
 * left. The order and the limit make the planner look up each contact by its number.
 */
async function comeBack(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  ids: readonly number[],
): Promise<void> {
  await sql`
    with kept as (
      delete from removed_memberships r
      where r.workspace_id = ${workspaceId} and r.change_id = 0 and r.kind = ${kind.kind}
        and r.contact_id = any(${[...ids]}::bigint[])
      returning r.*
    ),
    back as (
      insert into ${membersOf(kind)} (workspace_id, ${keyOf(kind)}, contact_id, added_at, source, source_id)
      select k.workspace_id, k.group_id, k.contact_id, k.added_at, k.source, k.source_id
      from kept k cross join lateral (
        select c.id, c.local, c.domain from contacts c
        where c.workspace_id = k.workspace_id and c.id = k.contact_id order by c.id limit 1
      ) c
      where not ${hasLeft(workspaceId, kind, sql`k.group_id`, 'c')}
      on conflict do nothing returning ${keyOf(kind)}
    )
    ${addedToCounts(workspaceId, kind, perGroup(kind, sql`back`))}`.execute(tx);
}

/**
 * Puts a contact into the groups of those that were just merged into it, except those that its
 * reader has left.
 */
async function unite(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { mergeId, keptId, otherIds }: { mergeId: number; keptId: number; otherIds: readonly number[] },
): Promise<void> {
  await sql`
    with added as (
      insert into ${membersOf(kind)} (workspace_id, ${keyOf(kind)}, contact_id, added_at, source, source_id)
      select r.workspace_id, r.group_id, ${keptId}::bigint, min(r.added_at), 'merge', ${mergeId}::bigint
      from removed_memberships r
      join contacts c on c.workspace_id = r.workspace_id and c.id = ${keptId}
      where r.workspace_id = ${workspaceId} and r.change_id = 0 and r.kind = ${kind.kind}
        and r.contact_id = any(${[...otherIds]}::bigint[])
        and not ${hasLeft(workspaceId, kind, sql`r.group_id`, 'c')}
      group by r.workspace_id, r.group_id
      on conflict do nothing returning ${keyOf(kind)}
    )
    ${addedToCounts(workspaceId, kind, perGroup(kind, sql`added`))}`.execute(tx);
}

/**
 * Takes from a contact the groups that it got by a merge, but for those that a later one would have
 * given it. What somebody took it out of since does not come back.
 */
async function part(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { mergeId, keptId }: { mergeId: number; keptId: number },
): Promise<void> {
  const isMeant = sql`d.id > ${mergeId}`;
  const isGiven = (row: 'm' | 'r') => sql`
    ${sql.ref(`${row}.contact_id`)} = ${keptId} and ${sql.ref(`${row}.source`)} = 'merge'
    and ${sql.ref(`${row}.source_id`)} = ${mergeId}`;
  const given = sql`m.workspace_id = ${workspaceId} and ${isGiven('m')}`;
  const rows = sql`
    select ${keyOf(kind, 'm')} as group_id, m.contact_id, m.added_at from ${membersOf(kind)} m where ${given}`;
  await forgetInBin(tx, workspaceId, kind, { isUndone: isGiven('r'), isMeant });
  await forgetRemoved(tx, workspaceId, kind, isGiven('r'));
  await sql`
    with given as materialized (${givenByMerges(workspaceId, kind, rows, isMeant)}),
    handed as (${handedOver(workspaceId, kind)}),
    gone as (
      delete from ${membersOf(kind)} m where ${given} and ${keyOf(kind, 'm')} not in (select group_id from given)
      returning ${keyOf(kind, 'm')}
    )
    ${addedToCounts(workspaceId, kind, perGroup(kind, sql`gone`, '-'))}`.execute(tx);
}
