import { sql } from 'kysely';
import { mayBeMailed } from '#features/basis/server/index.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** Where the values of a merge field stand: in a column, in extra fields, or in both. */
export interface FieldPlace {
  column: 'first_name' | 'last_name' | 'name' | 'source' | 'date' | null;
  extra: readonly string[];
}

/**
 * How many of the contacts that may be mailed have no value at each place. Blanks are none. With a
 * `share`, of about so many of them, by blocks of the table that chance has chosen.
 */
export async function countEmpty(
  tx: TenantTx,
  workspaceId: number,
  asked: {
    matching: Fragment;
    mailable: readonly Basis[];
    places: readonly FieldPlace[];
    share: number | null;
  },
): Promise<{ people: number; empty: number[] }> {
  const { matching, mailable, places, share } = asked;
  const sample = share === null ? sql`` : sql`tablesample system (${Math.min(100, share * 100)}::float4)`;
  const empty = places.map((place) => sql`count(*) filter (where ${isEmpty(place)})`);
  const { rows } = await sql<{ people: number; empty: number[] }>`
    select count(*) as people, jsonb_build_array(${sql.join(empty)}) as empty
    from contacts c ${sample} ${suppressionJoins}
    where c.workspace_id = ${workspaceId} and ${matching} and c.state = ${sql.lit(contactStates.valid)}
      and not ${isSuppressed} and ${mayBeMailed(mailable)}`.execute(tx);
  return rows[0] ?? { people: 0, empty: [] };
}

function isEmpty({ column, extra }: FieldPlace): Fragment {
  const values = [
    ...(column === null ? [] : [columns[column]]),
    ...extra.map((name) => sql`c.attributes ->> ${name}`),
  ];
  return values.length === 0 ? sql`true` : sql`concat(${sql.join(values)}) !~ '\\S'`;
}

/** As the message has them: a name may be put together. */
const columns = {
  first_name: sql`c.first_name`,
  last_name: sql`c.last_name`,
  name: sql`concat(c.name, c.first_name, c.last_name)`,
  source: sql`c.source`,
  date: sql`c.date`,
};
