import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { LockedFields, NewFields } from '../rules/contact-change.ts';

/**
 * The fields of these contacts, locked until the transaction ends. By id, so that two changes of
 * the same contacts wait for each other and never deadlock. The key stays free: an import passes
 * over contacts whose key is locked, because somebody is deleting them.
 */
export async function lockFields(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<LockedFields[]> {
  const { rows } = await sql<LockedFields>`
    select c.id, c.name, c.first_name as "firstName", c.last_name as "lastName", c.source, c.date, c.notes,
           coalesce(c.attributes, '{}') as attributes, c.changed_at::text as "changedAt"
    from contacts c
    where c.workspace_id = ${workspaceId} and c.id = any(${[...ids]}::bigint[])
    order by c.id for no key update`.execute(tx);
  return rows;
}

/** Writes the fields of contacts that `lockFields` has locked. */
export async function writeFields(
  tx: TenantTx,
  workspaceId: number,
  contacts: readonly (NewFields & { id: number })[],
): Promise<void> {
  const texts = (of: (contact: NewFields) => string | null) => contacts.map(of);
  await sql`
    update contacts c
    set name = n.name, first_name = n.first_name, last_name = n.last_name, source = n.source, date = n.date,
        notes = n.notes, attributes = n.attributes::jsonb, changed_at = n.changed_at::timestamptz
    from unnest(
      ${contacts.map(({ id }) => id)}::bigint[], ${texts(({ name }) => name)}::text[],
      ${texts(({ firstName }) => firstName)}::text[], ${texts(({ lastName }) => lastName)}::text[],
      ${texts(({ source }) => source)}::text[], ${texts(({ date }) => date)}::text[],
      ${texts(({ notes }) => notes)}::text[], ${texts(attributesAsText)}::text[],
      ${texts(({ changedAt }) => (changedAt === undefined ? 'now' : changedAt))}::text[]
    ) as n (id, name, first_name, last_name, source, date, notes, attributes, changed_at)
    where c.workspace_id = ${workspaceId} and c.id = n.id`.execute(tx);
}

/** The extra fields as the database takes them: null for none. */
export const attributesAsText = ({ attributes }: Pick<NewFields, 'attributes'>): string | null =>
  Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null;
