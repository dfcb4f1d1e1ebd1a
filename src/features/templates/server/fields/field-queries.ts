import { sql } from 'kysely';
import { sampledContacts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** Contacts `c` to count in: all of few, some of many. */
const counted = (workspaceId: number, sampleOf: number | null): Fragment =>
  sampleOf === null
    ? sql`contacts c where c.workspace_id = ${workspaceId}`
    : sql`${sampledContacts(workspaceId, sampleOf)} where c.workspace_id = ${workspaceId}`;

export interface OwnCounts {
  all: number;
  firstName: number;
  lastName: number;
  name: number;
  source: number;
  date: number;
}

/** How many contacts have each of the fields that all may have. */
export async function countOwnFields(
  tx: TenantTx,
  workspaceId: number,
  sampleOf: number | null,
): Promise<OwnCounts> {
  const has = (column: string) => sql`count(*) filter (where trim(${sql.ref(column)}) <> '')`;
  const { rows } = await sql<OwnCounts>`
    select count(*) as all, ${has('c.first_name')} as "firstName", ${has('c.last_name')} as "lastName",
      ${has('c.name')} as name, ${has('c.source')} as source, ${has('c.date')} as date
    from ${counted(workspaceId, sampleOf)}`.execute(tx);
  return rows[0] ?? { all: 0, firstName: 0, lastName: 0, name: 0, source: 0, date: 0 };
}

/** How many contacts have each extra field. */
export async function countExtraFields(
  tx: TenantTx,
  workspaceId: number,
  sampleOf: number | null,
): Promise<{ name: string; contacts: number }[]> {
  const { rows } = await sql<{ name: string; contacts: number }>`
    select a.key as name, count(*) as contacts
    from (select c.attributes from ${counted(workspaceId, sampleOf)} and c.attributes is not null) c
    cross join lateral jsonb_each_text(c.attributes) a
    where trim(a.value) <> ''
    group by a.key`.execute(tx);
  return rows;
}
