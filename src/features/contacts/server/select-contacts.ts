import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { StoredContact, StoredVerification } from '../rules.ts';
import { contactsWithSuppression, isSuppressed } from './status-queries.ts';

type ContactRow = Omit<StoredContact, 'verification' | 'marketing'> & {
  [Key in keyof StoredVerification]: StoredVerification[Key] | null;
} & { basis: number; basisSource: string | null; givenOn: string | null; recordedAt: Date | null };

function toStored(row: ContactRow): StoredContact {
  const { verdict, reasons, risk, kind, uk, checkedAt, suggestion, ...rest } = row;
  const { basis, basisSource, givenOn, recordedAt, ...contact } = rest;
  const marketing = { basis, source: basisSource, givenOn, recordedAt };
  const isVerified = verdict !== null && reasons !== null && risk !== null && checkedAt !== null;
  const verification = isVerified ? { verdict, reasons, risk, kind, uk, checkedAt, suggestion } : null;
  return { ...contact, marketing, verification };
}

/**
 * When the verdict was last found to be true: by a check of this contact, or by a run over all
 * contacts, which writes only what differs.
 */
const checkedAt: Fragment = sql`greatest(v.checked_at, (
  select max(r.started_at) from verification_runs r
  where r.workspace_id = v.workspace_id and r.whole and r.finished_at is not null and r.through_id >= v.contact_id
))`;

const suggestion: Fragment = sql`(
  select g.to_local || '@' || g.to_domain from contact_suggestions g
  where g.workspace_id = c.workspace_id and g.contact_id = c.id
)`;

/** The lists or tags of a contact `c`, A to Z. Each is found by its number. */
const memberships = (members: string, groups: string, key: string, ...more: Fragment[]): Fragment => sql`
  array(
    select json_build_object(${sql.join([
      ...['id', 'name'].map((name) => sql`${sql.lit(name)}, ${sql.ref(`g.${name}`)}`),
      sql`'addedAt', m.added_at, 'source', m.source`,
      ...more,
    ])})
    from ${sql.table(members)} m
    join ${sql.table(groups)} g on g.workspace_id = m.workspace_id and g.id = ${sql.ref(`m.${key}`)}
    where m.workspace_id = c.workspace_id and m.contact_id = c.id and g.deleted_at is null
    order by lower(g.name), g.id
  )`;
const lists = memberships('list_members', 'lists', 'list_id');
const tags = memberships('contact_tags', 'tags', 'tag_id', sql`'color', g.color`);

/**
 * These contacts with their suppression, in the order of `ids`. Contacts that do not exist are left
 * out.
 */
export async function selectContacts(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<StoredContact[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ContactRow>`
    select c.id, c.local, c.domain, c.address, c.state, ${isSuppressed} as "isSuppressed", c.name,
           c.first_name as "firstName", c.last_name as "lastName", c.source, c.date,
           c.attributes, c.notes, c.import_id as "importId", c.created_at as "createdAt",
           p.verdict, p.reasons, p.risk, p.kind, p.uk, ${checkedAt} as "checkedAt", ${suggestion} as suggestion,
           ${lists} as lists, ${tags} as tags,
           coalesce(m.basis, 0) as basis, h.source as "basisSource", m.given_on::text as "givenOn",
           h.created_at as "recordedAt"
    from ${contactsWithSuppression}
    left join contact_verifications v on v.workspace_id = c.workspace_id and v.contact_id = c.id
    left join verdict_profiles p on p.workspace_id = v.workspace_id and p.id = v.profile_id
    left join contact_bases m on m.workspace_id = c.workspace_id and m.contact_id = c.id
    left join basis_changes h on h.workspace_id = m.workspace_id and h.id = m.change_id
    where c.workspace_id = ${workspaceId} and c.id = any(${[...ids]}::bigint[])`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, toStored(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
