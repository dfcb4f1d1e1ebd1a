import { sql } from 'kysely';
import type { memberSources } from '#features/contacts/contract.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type GroupKind, groupsOf, keyOf, membersOf } from './group-kind.ts';

/** That a contact was added to a group, or taken out. */
export interface MovedRow {
  kind: 'list' | 'tag';
  groupId: number;
  name: string;
  isRemoval: boolean;
  at: Date;
  by: string | null;
  /** Where an addition came from. */
  source: (typeof memberSources)[number];
  /** The number of the change, the import or the merge. */
  sourceId: number;
  fileName: string | null;
  contacts: number | null;
}

/**
 * What the memberships of a contact tell: those that it has, and those that a removal took away and
 * keeps. Newest first.
 */
export async function selectMoves(
  tx: TenantTx,
  workspaceId: number,
  kinds: readonly GroupKind[],
  contactId: number,
  limit: number,
): Promise<MovedRow[]> {
  if (kinds.length === 0) return [];
  const moves = kinds.flatMap((kind) => movesOf(workspaceId, kind, contactId));
  const { rows } = await sql<MovedRow>`
    select e.kind, e.group_id as "groupId", e.name, e.is_removal as "isRemoval", e.at,
      coalesce(h.changed_by, i.actor, g.merged_by) as by, e.source, e.source_id as "sourceId",
      i.file_name as "fileName", h.contacts
    from (${sql.join(moves, sql` union all `)}) e
    left join membership_changes h on h.workspace_id = ${workspaceId} and h.id = e.source_id
      and (e.is_removal or e.source in ('chosen', 'filter', 'pasted', 'api'))
    left join imports i on i.workspace_id = ${workspaceId} and i.id = e.source_id
      and not e.is_removal and e.source = 'import'
    left join merges g on g.workspace_id = ${workspaceId} and g.id = e.source_id
      and not e.is_removal and e.source = 'merge'
    order by e.at desc, e.is_removal desc
    limit ${limit}`.execute(tx);
  return rows;
}

/** A removal's number stands in place of a source's. */
function movesOf(workspaceId: number, kind: GroupKind, contactId: number): Fragment[] {
  const name = sql`g.name`;
  const groups = (id: Fragment) =>
    sql`join ${groupsOf(kind)} g on g.workspace_id = ${workspaceId} and g.id = ${id}`;
  const removed = sql`
    from removed_memberships r
    join membership_changes n on n.workspace_id = ${workspaceId} and n.id = r.change_id
    ${groups(sql`r.group_id`)}
    where r.workspace_id = ${workspaceId} and r.contact_id = ${contactId} and r.change_id <> 0
      and r.kind = ${kind.kind}`;
  return [
    sql`
      select ${kind.kind} as kind, g.id as group_id, ${name}, false as is_removal, m.added_at as at, m.source, m.source_id
      from ${membersOf(kind)} m ${groups(keyOf(kind, 'm'))}
      where m.workspace_id = ${workspaceId} and m.contact_id = ${contactId}`,
    sql`select ${kind.kind}, g.id, ${name}, false, r.added_at, r.source, r.source_id ${removed}`,
    sql`select ${kind.kind}, g.id, ${name}, true, n.created_at, r.source, r.change_id ${removed}`,
  ];
}
