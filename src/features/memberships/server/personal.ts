import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import { type GroupKind, groupsOf, keyOf, membersOf } from './group-kind.ts';
import { addedToCounts } from './group-queries.ts';

interface Membership {
  name: string;
  addedAt: Date;
  source: string;
}

async function selectMemberships(tx: TenantTx, kind: GroupKind, person: Person): Promise<Membership[]> {
  const { workspaceId } = person;
  const { rows } = await sql<Membership>`
    select g.name, m.added_at as "addedAt", m.source
    from ${membersOf(kind)} m
    join ${groupsOf(kind)} g on g.workspace_id = m.workspace_id and g.id = ${keyOf(kind, 'm')}
    where m.workspace_id = ${workspaceId} and m.contact_id in (${contactsOf(person)})
    union
    select g.name, r.added_at, r.source
    from removed_memberships r
    join ${groupsOf(kind)} g on g.workspace_id = r.workspace_id and g.id = r.group_id
    where r.workspace_id = ${workspaceId} and r.kind = ${kind.kind} and r.contact_id in (${contactsOf(person)})
    order by 1`.execute(tx);
  return rows;
}

/** Which lists a person is on and which tags they have. Their contacts take these into the bin. */
export const personalOf = (kinds: ReadonlyMap<string, GroupKind>): PersonalData => ({
  async export(tx, person) {
    const found: Record<string, Membership[]> = {};
    for (const kind of kinds.values()) {
      const rows = await selectMemberships(tx, kind, person);
      if (rows.length > 0) found[`${kind.kind}s`] = rows;
    }
    return found;
  },
  async erase(tx, person) {
    const { workspaceId } = person;
    for (const kind of kinds.values()) {
      await sql`
        with gone as (
          delete from ${membersOf(kind)} m
          where m.workspace_id = ${workspaceId} and m.contact_id in (${contactsOf(person)})
          returning ${keyOf(kind, 'm')} as id
        )
        ${addedToCounts(workspaceId, kind, sql`select id, -count(*) as contacts from gone group by id`)}`.execute(
        tx,
      );
    }
    await sql`
      delete from removed_memberships r
      where r.workspace_id = ${workspaceId} and r.contact_id in (${contactsOf(person)})`.execute(tx);
  },
});
