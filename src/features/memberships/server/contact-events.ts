import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { MembershipsEvent } from '../contract/contact-events.ts';
import { type MovedRow, selectMoves } from './event-queries.ts';
import type { GroupKind } from './group-kind.ts';

/**
 * The lists that a contact was put on and taken off, and its tags. Nothing is written for this: a
 * membership has its date and its source, and what a removal took away is kept for its undo. So an
 * undone change leaves no event, and a removal is forgotten with its undo.
 */
export const tellEvents =
  (kinds: ReadonlyMap<string, GroupKind>) =>
  async (
    tx: TenantTx,
    workspaceId: number,
    { id }: StoredContact,
    limit: number,
  ): Promise<MembershipsEvent[]> =>
    (await selectMoves(tx, workspaceId, [...kinds.values()], id, limit)).map(toEvent);

function toEvent({ kind, groupId, name, at, by, ...row }: MovedRow): MembershipsEvent {
  const group = { id: groupId, name };
  const told = { at: at.toISOString(), by };
  if (row.isRemoval) {
    const removed = { ...told, contacts: row.contacts ?? 1 };
    return kind === 'list'
      ? { kind: 'taken_off_list', list: group, ...removed }
      : { kind: 'untagged', tag: group, ...removed };
  }
  const added = { ...told, how: row.source, import: importOf(row), contacts: row.contacts };
  return kind === 'list'
    ? { kind: 'put_on_list', list: group, ...added }
    : { kind: 'tagged', tag: group, ...added };
}

const importOf = ({ source, sourceId, fileName }: Pick<MovedRow, 'source' | 'sourceId' | 'fileName'>) =>
  source === 'import' ? { id: sourceId, fileName } : null;
