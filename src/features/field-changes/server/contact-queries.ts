import { sql } from 'kysely';
import { sampledContacts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';

const columnOf = {
  name: sql`c.name`,
  firstName: sql`c.first_name`,
  lastName: sql`c.last_name`,
  notes: sql`c.notes`,
} as const;

/** True for the contacts `c` that have another value in one of the fields. */
function isFilled({ set }: WhatChanges): Fragment {
  const own = (Object.keys(columnOf) as (keyof typeof columnOf)[])
    .filter((field) => set?.[field] !== undefined)
    .map((field) => sql`coalesce(${columnOf[field]}, '') not in ('', ${set?.[field] ?? ''}::text)`);
  const extra = Object.entries(set?.attributes ?? {}).map(
    ([name, value]) => sql`coalesce(c.attributes ->> ${name}, '') not in ('', ${value ?? ''}::text)`,
  );
  return own.length + extra.length === 0 ? sql`false` : sql`(${sql.join([...own, ...extra], sql` or `)})`;
}

/** True for the contacts `c` that a change is about, whoever is chosen. */
const isAsked = ({ splitNames }: WhatChanges): Fragment =>
  splitNames ? sql`(c.name is not null and c.first_name is null and c.last_name is null)` : sql`true`;

export interface Reached {
  contacts: number;
  filled: number;
}

/** How many of these contacts a change reaches, and how many of them have another value now. */
export async function countReached(
  tx: TenantTx,
  workspaceId: number,
  ids: Fragment,
  what: WhatChanges,
): Promise<Reached> {
  const { rows } = await sql<Reached>`
    select count(*) as contacts, count(*) filter (where ${isFilled(what)}) as filled
    from contacts c
    where c.workspace_id = ${workspaceId} and c.id in (${ids}) and ${isAsked(what)}`.execute(tx);
  return rows[0] ?? { contacts: 0, filled: 0 };
}

/** The same in a sample, with the number of contacts that were chosen there. */
export async function sampleReached(
  tx: TenantTx,
  workspaceId: number,
  { all, chosen }: { all: number; chosen: Fragment },
  what: WhatChanges,
): Promise<Reached & { chosen: number }> {
  const { rows } = await sql<Reached & { chosen: number }>`
    select count(*) as chosen, count(*) filter (where ${isAsked(what)}) as contacts,
           count(*) filter (where ${isAsked(what)} and ${isFilled(what)}) as filled
    from ${sampledContacts(workspaceId, all)}
    where ${chosen}`.execute(tx);
  return rows[0] ?? { chosen: 0, contacts: 0, filled: 0 };
}

export interface ChangeOfContact {
  after: Record<string, unknown>;
  at: Date;
  by: string | null;
  contacts: number;
}

/** The newest changes that this contact was part of, as long as they can be undone. */
export async function selectChangesOf(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  limit: number,
): Promise<ChangeOfContact[]> {
  const { rows } = await sql<ChangeOfContact>`
    select k.after, k.changed_at as at, f.changed_by as by, f.contacts
    from changed_contacts k
    join field_changes f on f.workspace_id = k.workspace_id and f.id = k.change_id
    where k.workspace_id = ${workspaceId} and k.contact_id = ${contactId} and k.before <> k.after
    order by k.change_id desc limit ${limit}`.execute(tx);
  return rows;
}
