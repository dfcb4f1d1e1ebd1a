import { CompiledQuery } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/**
 * Former addresses, for an import: those that contacts had before a correction, and those of
 * contacts merged into another. They are read from the corrections and merges themselves, so
 * undoing one forgets them. A contact that the undo of its correction left out is still corrected.
 * `$1` is the workspace.
 */

/** True if anything in the workspace was ever corrected or merged. */
export const anyFormerAddress = `(
  exists (select from corrections where workspace_id = $1 and contacts > 0)
  or exists (select from merges where workspace_id = $1 and undone_at is null))`;

/**
 * The merges `d` of lines `k` that are in force: not undone, and with nothing they removed restored
 * from the bin.
 */
const standingMerges = `
  join merges d on d.workspace_id = k.workspace_id and d.id = k.merge_id and d.undone_at is null
  join removals r on r.workspace_id = d.workspace_id and r.id = d.removal_id and r.restored_at is null`;

/** Says which addresses are asked about, as a condition on two columns. */
type Chosen = (domain: string, local: string) => string;

/**
 * The beginning of a query with `meant`: the contacts that former addresses mean, existing or not.
 * A merged contact leads on to the contact it was merged into. Contacts that were merged back and
 * forth are visited once in each direction.
 */
const withMeant = (chosen: Chosen): string => `
  with recursive meant (domain, local, contact_id, how, decided_at) as (
    (
      select k.old_domain, k.old_local, k.contact_id, 'corrected', d.created_at
      from corrected_contacts k
      join corrections d on d.workspace_id = k.workspace_id and d.id = k.correction_id
      where k.workspace_id = $1 and k.undone_at is null and ${chosen('k.old_domain', 'k.old_local')}
      union all
      select k.domain, k.local, d.kept_id, 'merged', d.created_at
      from merged_contacts k ${standingMerges}
      where k.workspace_id = $1 and ${chosen('k.domain', 'k.local')}
    )
    union
    select m.domain, m.local, d.kept_id, 'merged', d.created_at
    from meant m
    join merged_contacts k on k.workspace_id = $1 and k.contact_id = m.contact_id
    ${standingMerges}
  )`;

/**
 * A query of (domain, local, detail): the former addresses of existing contacts. The detail holds
 * how, when, and the contact's current address, separated by spaces.
 */
export const formerAddresses = (chosen: Chosen): string => `
  ${withMeant(chosen)}
  select distinct on (m.domain, m.local) m.domain, m.local,
    m.how || ' ' || to_char(m.decided_at at time zone 'Europe/London', 'YYYY-MM-DD') || ' ' || now_called.address as detail
  from meant m cross join lateral (
    select coalesce(c.address, case when c.domain = '' then c.local else c.local || '@' || c.domain end) as address
    from contacts c where c.workspace_id = $1 and c.id = m.contact_id order by c.id limit 1
  ) now_called
  order by m.domain, m.local, m.decided_at desc`;

/** A contact, with an address that it had before. */
export interface FormerContact {
  domain: string;
  local: string;
  id: number;
}

/**
 * The existing contacts that former addresses mean. `asked` is a query of (domain, local), with its
 * parameters from $2.
 */
export async function selectFormerContacts(
  tx: TenantTx,
  workspaceId: number,
  asked: string,
  parameters: readonly unknown[] = [],
): Promise<FormerContact[]> {
  const query = `
    ${withMeant((domain, local) => `(${domain}, ${local}) in (${asked})`)}
    select distinct on (m.domain, m.local) m.domain, m.local, m.contact_id as id
    from meant m
    where exists (select from contacts c where c.workspace_id = $1 and c.id = m.contact_id)
    order by m.domain, m.local, m.decided_at desc`;
  const { rows } = await tx.executeQuery<FormerContact>(
    CompiledQuery.raw(query, [workspaceId, ...parameters]),
  );
  return rows;
}
