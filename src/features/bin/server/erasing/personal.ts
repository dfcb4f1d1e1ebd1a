import { sql } from 'kysely';
import { dropEmptyBlocks } from '#features/contacts/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import type { Companions } from '../companions.ts';
import { moveToBin } from '../move-to-bin.ts';

/** The ids of a person's contact and of copies of it, also of those in the bin. */
export const contactsOf = ({ workspaceId, domain, local }: Person): Fragment => sql`
  select c.id from contacts c
  where c.workspace_id = ${workspaceId} and c.domain = ${domain} and c.local = ${local}
  union all
  select r.id from removed_contacts r
  where r.workspace_id = ${workspaceId} and r.domain = ${domain} and r.local = ${local}`;

interface Removed extends Record<string, unknown> {
  removedAt: Date;
  why: string | null;
}

/**
 * Contacts in the bin. Erasing takes the person's contact through the bin too, so that figures,
 * verdicts and lists follow as they always do.
 */
export const personalOf = (companions: Companions): PersonalData => ({
  async export(tx, { workspaceId, domain, local }) {
    const { rows } = await sql<Removed>`
      select coalesce(r.address, r.local || '@' || r.domain) as address, r.name, r.first_name as "firstName",
        r.last_name as "lastName", r.source, r.date, r.notes, r.attributes, r.created_at as "addedAt",
        m.created_at as "removedAt", m.why
      from removed_contacts r join removals m on m.workspace_id = r.workspace_id and m.id = r.removal_id
      where r.workspace_id = ${workspaceId} and r.domain = ${domain} and r.local = ${local}
      order by m.id, r.id`.execute(tx);
    return rows.length > 0 ? { removedContacts: rows } : {};
  },
  async erase(tx, person) {
    const { workspaceId, domain, local } = person;
    const ids = await sql<{ id: number }>`select id from (${contactsOf(person)}) theirs`.execute(tx);
    const chosen = sql`c.domain = ${domain} and c.local = ${local}`;
    const removal = await moveToBin(tx, workspaceId, chosen, { kind: 'delete', removedBy: null }, companions);
    await sql`
      delete from removed_contacts r
      where r.workspace_id = ${workspaceId} and r.domain = ${domain} and r.local = ${local}`.execute(tx);
    const gone = sql`select unnest(${ids.rows.map(({ id }) => id)}::bigint[]) as id`;
    await dropEmptyBlocks(tx, workspaceId, gone, { isErased: true });
    // Nothing is left to restore of it. Other removals keep their numbers, which name nobody.
    if (removal)
      await sql`delete from removals where workspace_id = ${workspaceId} and id = ${removal.id}`.execute(tx);
  },
});
