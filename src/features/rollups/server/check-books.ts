import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
export interface BookDifference {
  /** The rollup and, for a domain, its name. */
  book: string;
  written: string;
  counted: string;
}

/**
 * Recounts every rollup from the contacts and the suppression list and answers the differences.
 * There should never be any. Reads all contacts. For tests, and for operators who want to check.
 */
export async function checkBooks(tx: TenantTx, workspaceId: number): Promise<BookDifference[]> {
  const { rows } = await sql<BookDifference>`
    with live as (
      select c.domain, count(*) filter (where state = 0) as valid, count(*) filter (where state = 1) as invalid,
             count(*) filter (where state = 2) as duplicate,
             count(*) filter (where state = 0 and s.id is not null) as valid_suppressed,
             count(*) filter (where state = 1 and s.id is not null) as invalid_suppressed,
             count(*) filter (where state = 2 and s.id is not null) as duplicate_suppressed
      from contacts c
      left join suppressions s on s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
      where c.workspace_id = ${workspaceId}
      group by c.domain
    ),
    names as (
      select domain from live
      union select domain from contact_domains where workspace_id = ${workspaceId}
    ),
    counted as (
      select n.domain, coalesce(valid, 0) as valid, coalesce(invalid, 0) as invalid, coalesce(duplicate, 0) as duplicate,
             coalesce(valid_suppressed, 0) as valid_suppressed, coalesce(invalid_suppressed, 0) as invalid_suppressed,
             coalesce(duplicate_suppressed, 0) as duplicate_suppressed,
             exists (select from domain_suppressions s where s.workspace_id = ${workspaceId}
                     and s.domain = any(domain_and_parents(n.domain))) as blocked
      from names n left join live using (domain)
    ),
    written as (
      select domain, valid, invalid, duplicate, valid_suppressed, invalid_suppressed, duplicate_suppressed, blocked
      from contact_domains where workspace_id = ${workspaceId}
    ),
    totals as (
      select coalesce(sum(valid - valid_suppressed) filter (where not blocked), 0) as active,
             coalesce(sum(case when blocked then valid + invalid + duplicate
               else valid_suppressed + invalid_suppressed + duplicate_suppressed end), 0) as suppressed,
             coalesce(sum(invalid - invalid_suppressed) filter (where not blocked), 0) as invalid,
             coalesce(sum(duplicate - duplicate_suppressed) filter (where not blocked), 0) as duplicate,
             count(*) filter (where domain <> '' and valid + invalid + duplicate > 0) as domains
      from counted
    ),
    last_day as (
      select active, suppressed, invalid, domains from contact_counts_daily
      where workspace_id = ${workspaceId} order by day desc limit 1
    )
    select 'domain ' || counted.domain as book, coalesce(written::text, 'nothing') as written, counted::text as counted
    from counted left join written using (domain)
    where written is distinct from counted
    union all
    select 'counts', coalesce((c.active, c.suppressed, c.invalid, c.duplicate, c.domains)::text, 'nothing'),
           (t.active, t.suppressed, t.invalid, t.duplicate, t.domains)::text
    from totals t left join contact_counts c on c.workspace_id = ${workspaceId}
    where (coalesce(c.active, 0), coalesce(c.suppressed, 0), coalesce(c.invalid, 0), coalesce(c.duplicate, 0), coalesce(c.domains, 0))
      is distinct from (t.active, t.suppressed, t.invalid, t.duplicate, t.domains)
    union all
    select 'last day', (d.active, d.suppressed, d.invalid, d.domains)::text, (t.active, t.suppressed, t.invalid, t.domains)::text
    from last_day d, totals t
    where (d.active, d.suppressed, d.invalid, d.domains) is distinct from (t.active, t.suppressed, t.invalid, t.domains)`.execute(
    tx,
  );
  return [...rows, ...(await checkVerdictBooks(tx, workspaceId))];
}

/**
 * The same for the verdicts: the profiles' counts, and anything still stored about deleted
 * contacts.
 */
async function checkVerdictBooks(tx: TenantTx, workspaceId: number): Promise<BookDifference[]> {
  const orphans = (table: string) => sql`
    select ${`${table} of contacts that are gone`} as book, count(*)::text as written, '0' as counted
    from ${sql.table(table)} o
    where o.workspace_id = ${workspaceId} and not exists (
      select from contacts c where c.workspace_id = o.workspace_id and c.id = o.contact_id
    ) having count(*) > 0`;
  const { rows } = await sql<BookDifference>`
    select 'verdict profile ' || p.id as book, p.contacts::text as written, count(v.contact_id)::text as counted
    from verdict_profiles p
    left join contact_verifications v on v.workspace_id = p.workspace_id and v.profile_id = p.id
    where p.workspace_id = ${workspaceId}
    group by p.id, p.contacts having p.contacts <> count(v.contact_id)
    union all ${orphans('contact_verifications')}
    union all ${orphans('contact_suggestions')}
    union all ${orphans('contact_mailboxes')}
    union all
    select 'shared mailbox ' || s.local || '@' || s.domain, s.contacts::text, live.contacts::text
    from shared_mailboxes s cross join lateral (
      select (select count(*) from contact_mailboxes m
              where m.workspace_id = s.workspace_id and m.domain = s.domain and m.local = s.local)
           + (select count(*) from contacts c
              where c.workspace_id = s.workspace_id and c.domain = s.domain and c.local = s.local and c.state <> 2) as contacts
    ) live
    where s.workspace_id = ${workspaceId} and s.contacts > live.contacts`.execute(tx);
  return rows;
}
