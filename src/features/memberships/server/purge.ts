import { sql } from 'kysely';
import { holdRemovals } from '#features/bin/server/index.ts';
import { keptForUndoDays } from '#features/tasks/rules/undoable.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { purgeChanges } from './changes/change-queries.ts';
import { pieceSize } from './context.ts';
import { type GroupKind, keyOf, membersOf } from './group-kind.ts';
import { deleteGroup, lockLongDeleted, selectLongDeleted } from './group-queries.ts';

/**
 * Forgets what cannot come back any more: memberships of contacts that left the bin for good, what
 * old changes kept, and groups that were deleted long ago.
 */
export async function purge(
  db: Database,
  workspaceId: number,
  kinds: Iterable<GroupKind>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const inPieces = async (work: (tx: TenantTx) => Promise<number>) => {
    for (let gone = pieceSize; gone === pieceSize && !signal?.aborted; )
      gone = await db.asTenant(workspaceId, work);
  };
  await inPieces((tx) => forgetOrphans(tx, workspaceId));
  await inPieces((tx) => forgetOldRemovals(tx, workspaceId));
  await db.asTenant(workspaceId, (tx) => purgeChanges(tx, workspaceId, keptForUndoDays));
  for (const kind of kinds) {
    const ids = await db.asTenant(workspaceId, (tx) =>
      selectLongDeleted(tx, workspaceId, kind, keptForUndoDays),
    );
    for (const id of ids) {
      for (const forget of [forgetMembers, forgetBinnedMembers, deleteGroup])
        await inPieces((tx) => whileDeleted(tx, workspaceId, kind, id, forget));
    }
  }
}

/**
 * Forgets a piece of a group, unless somebody has restored it meanwhile. It takes the removals'
 * lock first, as all do that hold a group and change its members.
 */
async function whileDeleted(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
  forget: typeof forgetMembers,
): Promise<number> {
  await holdRemovals(tx, workspaceId);
  const isDeleted = await lockLongDeleted(tx, workspaceId, kind, id, keptForUndoDays);
  return isDeleted ? forget(tx, workspaceId, kind, id) : 0;
}

/** Memberships of contacts that are not in the bin any more. */
async function forgetOrphans(tx: TenantTx, workspaceId: number): Promise<number> {
  const gone = await sql`
    delete from removed_memberships where ctid = any(array(
      select r.ctid from removed_memberships r
      where r.workspace_id = ${workspaceId} and r.change_id = 0 and not exists (
        select from removed_contacts b
        where b.workspace_id = r.workspace_id and b.removal_id = r.removal_id and b.id = r.contact_id
      )
      limit ${pieceSize}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}

/** What removals took out that are too old to be undone. */
async function forgetOldRemovals(tx: TenantTx, workspaceId: number): Promise<number> {
  const gone = await sql`
    delete from removed_memberships where ctid = any(array(
      select r.ctid from membership_changes h
      join removed_memberships r on r.workspace_id = h.workspace_id and r.change_id = h.id
      where h.workspace_id = ${workspaceId} and not h.is_open
        and h.created_at < now() - make_interval(days => ${keptForUndoDays}::int)
      limit ${pieceSize}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}

async function forgetMembers(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<number> {
  const gone = await sql`
    delete from ${membersOf(kind)} m
    where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${id} and m.contact_id = any(array(
      select n.contact_id from ${membersOf(kind)} n
      where n.workspace_id = ${workspaceId} and ${keyOf(kind, 'n')} = ${id}
      order by n.contact_id limit ${pieceSize}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}

async function forgetBinnedMembers(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  id: number,
): Promise<number> {
  const gone = await sql`
    delete from removed_memberships where ctid = any(array(
      select r.ctid from removed_memberships r
      where r.workspace_id = ${workspaceId} and r.change_id = 0 and r.kind = ${kind.kind} and r.group_id = ${id}
      limit ${pieceSize}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}
