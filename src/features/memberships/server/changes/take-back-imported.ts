import { sql } from 'kysely';
import { recordAudit } from '#features/audit/server/index.ts';
import { holdRemovals } from '#features/bin/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { pieceSize } from '../context.ts';
import type { GroupKind } from '../group-kind.ts';
import { type GroupRow, lockGroup } from '../group-queries.ts';
import { isOfImport, type Stretch, stretchOf, takeOutImported } from '../member-queries.ts';
import { forgetInBin } from './by-merges.ts';
import { closeChange, openChange } from './change-queries.ts';
import { forgetRemoved } from './forget-removed.ts';
import type { ChosenGroups } from './import-members.ts';

/*
 * Undoes what an import did to lists and tags: takes out the contacts that it put there and that
 * are still contacts. What came by other ways stays. Walks one group after the other, a transaction
 * per piece. What it takes out is kept as a removal, which can be undone like any other.
 *
 *   a group's change is open --(piece)--> … --(no more)--> closed, and the next group's turn
 *                                  \--(cancelled, failed)--> closed with what it has
 */

/** An import, and the groups that it added contacts to. */
export interface ImportedMembers {
  importId: number;
  groups: ChosenGroups;
  actor: string | null;
}

/** A group that contacts were taken out of. */
export interface TakenOut {
  kind: 'list' | 'tag';
  id: number;
  name: string;
  contacts: number;
}

/** How far the work is, as a task keeps it. */
export interface TakeBackState {
  /** Which group's turn it is. */
  at: number;
  /** The contact after which it goes on. */
  after: number;
  /** The open change. Null before a group's first piece. */
  changeId: number | null;
  changed: number;
  takenOut: TakenOut[];
  isDone: boolean;
}

const nextGroup = (at: number, takenOut: TakenOut[], { groups }: ImportedMembers): TakeBackState => ({
  at,
  after: 0,
  changeId: null,
  changed: 0,
  takenOut,
  isDone: at >= groups.length,
});

/** Before the first piece. Done already if the import chose no groups. */
export const beginTakeBack = (work: ImportedMembers): TakeBackState => nextGroup(0, [], work);

/** One transaction's share. Groups that were deleted are gone through too: they may be restored. */
export async function takeBackPiece(
  tx: TenantTx,
  workspaceId: number,
  work: ImportedMembers,
  state: TakeBackState,
): Promise<TakeBackState> {
  const chosen = work.groups[state.at];
  if (!chosen) return { ...state, isDone: true };
  const { kind, id: groupId } = chosen;
  await holdRemovals(tx, workspaceId);
  const group = await lockGroup(tx, workspaceId, kind, groupId);
  if (!group) return nextGroup(state.at + 1, state.takenOut, work);
  const { importId } = work;
  const opened = { kind: kind.kind, groupId, isRemoval: true, changedBy: work.actor, importId };
  const changeId = state.changeId ?? (await openChange(tx, workspaceId, opened));
  const { after } = state;
  const limit = pieceSize;
  const taken = await takeOutImported(tx, workspaceId, kind, { groupId, importId, changeId, after, limit });
  const { looked, last, changed } = taken;
  const stretch = stretchOf(after, taken, looked < limit);
  await forgetImported(tx, workspaceId, kind, { groupId, importId, ...stretch });
  const next = { ...state, changeId, after: last ?? state.after, changed: state.changed + changed };
  return looked < limit ? closeGroup(tx, workspaceId, work, next, { kind, group }) : next;
}

/**
 * Forgets the memberships of a piece's contacts that are in the bin for another reason, and those
 * that others took out. What an undo of the import took out or moved there stays, and comes
 * back. Each piece asks, because contacts go to the bin and come back between two of them.
 */
async function forgetImported(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, importId, after, upTo }: Stretch & { groupId: number; importId: number },
): Promise<void> {
  const isUndone = sql`
    r.group_id = ${groupId} and r.contact_id > ${after} and r.contact_id <= ${upTo} and ${isOfImport(importId, 'r')}`;
  const isOfUndo = sql`exists (
    select from removals m
    where m.workspace_id = r.workspace_id and m.id = r.removal_id
      and m.kind = 'undo_import' and m.import_id = r.source_id
  )`;
  await forgetInBin(tx, workspaceId, kind, {
    isUndone: sql`${isUndone} and not ${isOfUndo}`,
    isMeant: sql`not ${isOfImport(importId, 'w')}`,
  });
  const isByUndo = sql`exists (
    select from membership_changes h
    where h.workspace_id = r.workspace_id and h.id = r.change_id and h.import_id = r.source_id
  )`;
  await forgetRemoved(tx, workspaceId, kind, sql`${isUndone} and not ${isByUndo}`);
}

async function closeGroup(
  tx: TenantTx,
  workspaceId: number,
  work: ImportedMembers,
  { at, changeId, changed, takenOut }: TakeBackState,
  { kind: { kind }, group: { id, name } }: { kind: GroupKind; group: Pick<GroupRow, 'id' | 'name'> },
): Promise<TakeBackState> {
  if (changeId !== null)
    await closeChange(tx, workspaceId, changeId, { contacts: changed, contactIds: null });
  if (changed === 0) return nextGroup(at + 1, takenOut, work);
  await recordAudit(tx, workspaceId, {
    actor: work.actor,
    action: `${kind}.contacts_removed`,
    subject: `${kind}:${id}`,
    details: { name, removed: changed, importId: work.importId, membershipChangeId: changeId },
  });
  return nextGroup(at + 1, [...takenOut, { kind, id, name, contacts: changed }], work);
}

/** Closes the change of work that was cancelled or failed, with what it took out so far. */
export async function breakOffTakeBack(
  tx: TenantTx,
  workspaceId: number,
  work: ImportedMembers,
  state: TakeBackState,
): Promise<TakenOut[]> {
  const chosen = work.groups[state.at];
  if (!chosen || state.changeId === null) return state.takenOut;
  const group = await lockGroup(tx, workspaceId, chosen.kind, chosen.id);
  const named = group ?? { id: chosen.id, name: '' };
  return (await closeGroup(tx, workspaceId, work, state, { kind: chosen.kind, group: named })).takenOut;
}
