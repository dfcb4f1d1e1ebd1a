import { sql } from 'kysely';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BasisEvent } from '../contract/contact-events.ts';
import type { HowSaid } from '../contract.ts';
import { basisOf } from '../rules.ts';

interface SaidRow {
  basis: number;
  source: string | null;
  givenOn: string | null;
  how: HowSaid;
  importId: number | null;
  fileName: string | null;
  contacts: number;
  by: string | null;
  at: Date;
}

/**
 * What is said and was said of a contact. Nothing is written for this, so an undone change leaves
 * no event.
 */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id }: Pick<StoredContact, 'id'>,
  limit: number,
): Promise<BasisEvent[]> {
  const its = sql`workspace_id = ${workspaceId} and contact_id = ${id}`;
  const { rows } = await sql<SaidRow>`
    select b.basis, h.source, b.given_on::text as "givenOn", h.how, i.id as "importId", i.file_name as "fileName",
      h.contacts, coalesce(h.changed_by, i.actor) as by, h.created_at as at
    from (
      select basis, given_on, change_id from contact_bases where ${its}
      union all
      select basis, given_on, change_id from former_bases where ${its}
    ) b
    join basis_changes h on h.workspace_id = ${workspaceId} and h.id = b.change_id
    left join imports i on i.workspace_id = ${workspaceId} and i.id = h.source_id and h.how = 'import'
    order by h.id desc limit ${limit}`.execute(tx);
  return rows.map(({ basis, source, givenOn, how, importId, fileName, contacts, by, at }) => ({
    kind: 'basis_said',
    at: at.toISOString(),
    by,
    ...{ basis: basisOf(basis), source, givenOn, how, contacts },
    import: importId === null ? null : { id: importId, fileName },
  }));
}
