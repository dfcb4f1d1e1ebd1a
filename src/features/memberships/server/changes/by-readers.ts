import { sql } from 'kysely';
import { holdRemovals } from '#features/bin/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type GroupKind, keyOf, membersNoted, membersOf } from '../group-kind.ts';
import { addedToCounts, type GroupRow } from '../group-queries.ts';
import { addMembers } from '../member-queries.ts';
import { needLocked } from '../need-group.ts';

/** One contact that moves itself, by the preference page of a mailing. */
interface Reader {
  groupId: number;
  contactId: number;
}

/**
 * Holds a group, so that nobody else changes it before the transaction ends. Throws `conflict`
 * while the contacts are busy, and `not_found` when the group is deleted.
 */
async function holdGroup(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  groupId: number,
): Promise<GroupRow> {
  await holdRemovals(tx, workspaceId);
  return needLocked(tx, workspaceId, kind, groupId);
}

/** Adds a contact that has asked for it itself. The caller holds the group. */
async function addReader(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, contactId, mailingId }: Reader & { mailingId: number },
): Promise<void> {
  const chosen = sql`
    select c.id from contacts c where c.workspace_id = ${workspaceId} and c.id = ${contactId} and c.state <> 2`;
  const piece = { groupId, chosen, isKept: false };
  await addMembers(tx, workspaceId, kind, { ...piece, source: 'preferences', sourceId: mailingId });
}

/** Takes out a contact that has asked for it itself. The caller holds the group. */
async function removeReader(
  tx: TenantTx,
  workspaceId: number,
  kind: GroupKind,
  { groupId, contactId }: Reader,
): Promise<void> {
  await sql`
    with gone as (
      delete from ${membersOf(kind)} m
      where m.workspace_id = ${workspaceId} and ${keyOf(kind, 'm')} = ${groupId} and m.contact_id = ${contactId}
      returning m.contact_id
    ),
    noted as (${membersNoted(workspaceId, kind, groupId, 'removed', sql`gone`)})
    ${addedToCounts(workspaceId, kind, sql`select ${groupId}::bigint as id, -count(*) as contacts from gone`)}`.execute(
    tx,
  );
}

/** The three together, as other features use them. */
export const byReaders = { hold: holdGroup, add: addReader, remove: removeReader };
export type ByReaders = typeof byReaders;
