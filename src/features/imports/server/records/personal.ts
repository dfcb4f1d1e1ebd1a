import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';

/** Rows `s` of JSON that an address is written in. */
const mentions = ({ local, domain }: Person): Fragment =>
  sql`strpos(lower(s.value::text), ${`${local}@${domain}`}) > 0`;

/**
 * The rows of files that were left out, of which a record keeps some. The files themselves and the
 * receipts go after the days that the settings say.
 */
export const personal: PersonalData = {
  async export(tx, person) {
    const { rows } = await sql<{ fileName: string; row: unknown; at: Date }>`
      select i.file_name as "fileName", s.value as row, i.created_at as at
      from imports i cross join jsonb_array_elements(i.samples) s
      where i.workspace_id = ${person.workspaceId} and ${mentions(person)} order by i.id`.execute(tx);
    return rows.length > 0 ? { rowsLeftOut: rows } : {};
  },
  async erase(tx, person) {
    await sql`
      update imports i
      set samples = (
        select coalesce(jsonb_agg(s.value order by s.place), '[]')
        from jsonb_array_elements(i.samples) with ordinality s (value, place) where not ${mentions(person)}
      )
      where i.workspace_id = ${person.workspaceId} and jsonb_typeof(i.samples) = 'array'
        and exists (select from jsonb_array_elements(i.samples) s (value) where ${mentions(person)})`.execute(
      tx,
    );
  },
};
