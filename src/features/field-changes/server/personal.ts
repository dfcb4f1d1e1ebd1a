import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import type { PersonalData } from '#platform/server/feature.ts';

/** Which fields of a person's contact were set together with those of others. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { workspaceId } = person;
    const { rows } = await sql<{ before: unknown; after: unknown; at: Date }>`
      select k.before, k.after, k.changed_at as at from changed_contacts k
      where k.workspace_id = ${workspaceId} and k.contact_id in (${contactsOf(person)})
      order by k.change_id`.execute(tx);
    return rows.length > 0 ? { fieldChanges: rows } : {};
  },
  async erase(tx, person) {
    await sql`
      delete from changed_contacts k
      where k.workspace_id = ${person.workspaceId} and k.contact_id in (${contactsOf(person)})`.execute(tx);
  },
};
