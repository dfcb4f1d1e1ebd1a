/**
 * Former addresses, for an import: those that contacts had before a correction, and those of
 * contacts merged into another. They are read from the corrections and merges themselves, so
 * undoing one forgets them. `$1` is the workspace.
 */

/** True if anything in the workspace was ever corrected or merged. */
export const anyFormerAddress = `(
  exists (select from corrections where workspace_id = $1 and undone_at is null and contacts > 0)
  or exists (select from merges where workspace_id = $1 and undone_at is null))`;

/**
 * The merges `d` of lines `k` that are in force: not undone, and with nothing they removed restored
 * from the bin.
 */
const standingMerges = `
  join merges d on d.workspace_id = k.workspace_id and d.id = k.merge_id and d.undone_at is null
  join removals r on r.workspace_id = d.workspace_id and r.id = d.removal_id and r.restored_at is null`;

/**
 * A query of (domain, local, detail): the former addresses of existing contacts. The detail holds
 * how, when, and the contact's current address, separated by spaces. A merged contact leads on to
 * the contact it was merged into. Contacts that were merged back and forth are visited once in each
 * direction.
 *
 * `chosen` says which addresses are asked about, as a condition on two columns.
 */
export const formerAddresses = (chosen: (domain: string, local: string) => string): string => `
  with recursive meant (domain, local, contact_id, how, decided_at) as (
    (
      select k.old_domain, k.old_local, k.contact_id, 'corrected', d.created_at
      from corrected_contacts k
      join corrections d on d.workspace_id = k.workspace_id and d.id = k.correction_id and d.undone_at is null
      where k.workspace_id = $1 and ${chosen('k.old_domain', 'k.old_local')}
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
  )
  select distinct on (m.domain, m.local) m.domain, m.local,
    m.how || ' ' || to_char(m.decided_at at time zone 'Europe/London', 'YYYY-MM-DD') || ' ' || now_called.address as detail
  from meant m cross join lateral (
    select coalesce(c.address, case when c.domain = '' then c.local else c.local || '@' || c.domain end) as address
    from contacts c where c.workspace_id = $1 and c.id = m.contact_id order by c.id limit 1
  ) now_called
  order by m.domain, m.local, m.decided_at desc`;
