import { sql } from 'kysely';
import type { PersonalData } from '#platform/server/feature.ts';

/** A person's contact, and copies of it. */
export const personal: PersonalData = {
  async export(tx, { workspaceId, local, domain }) {
    const { rows } = await sql<Record<string, unknown>>`
      select coalesce(c.address, c.local || '@' || c.domain) as address, c.name, c.first_name as "firstName",
        c.last_name as "lastName", c.source, c.date, c.notes, c.attributes, c.created_at as "addedAt",
        c.changed_at as "changedAt"
      from contacts c
      where c.workspace_id = ${workspaceId} and c.domain = ${domain} and c.local = ${local}
      order by c.id`.execute(tx);
    return rows.length > 0 ? { contacts: rows } : {};
  },
  // The bin has taken the contact, and the text that it was found by. What may be left is text of a
  // contact that had gone before.
  async erase(tx, { workspaceId, local, domain }) {
    const address = `${local}@${domain}`;
    for (const table of ['contact_search', 'contact_search_recent'])
      await sql`
        update ${sql.table(table)}
        set addresses = array_to_string(array_remove(string_to_array(addresses, E'\n'), ${address}), E'\n')
        where workspace_id = ${workspaceId} and addresses like contains_pattern(${address})
          and ${address} = any(string_to_array(addresses, E'\n'))`.execute(tx);
  },
};
