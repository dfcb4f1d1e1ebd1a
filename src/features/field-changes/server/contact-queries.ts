import { sql } from 'kysely';
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

/** How many of the contacts `c` a change reaches, and how many have another value now. */
export async function countReached(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  what: WhatChanges,
): Promise<{ contacts: number; filled: number }> {
  const only = what.splitNames
    ? sql`c.name is not null and c.first_name is null and c.last_name is null`
    : sql`true`;
  const { rows } = await sql<{ contacts: number; filled: number }>`
    select count(*) as contacts, count(*) filter (where ${isFilled(what)}) as filled
    from contacts c where c.workspace_id = ${workspaceId} and ${only} and (${chosen})`.execute(tx);
  return rows[0] ?? { contacts: 0, filled: 0 };
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
    where k.workspace_id = ${workspaceId} and k.contact_id = ${contactId}
    order by k.change_id desc limit ${limit}`.execute(tx);
  return rows;
}
