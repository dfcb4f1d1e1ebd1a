import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
/** How many contacts have each status, and what else the rollup counts. */
export interface Counts {
  /** All contacts, whatever their status. */
  total: number;
  active: number;
  suppressed: number;
  invalid: number;
  duplicate: number;
  domains: number;
  activeBeforeImport: number | null;
}

const none: Counts = {
  total: 0,
  active: 0,
  suppressed: 0,
  invalid: 0,
  duplicate: 0,
  domains: 0,
  activeBeforeImport: null,
};

/** The workspace's figures: one row by its primary key. */
export async function selectCounts(tx: TenantTx, workspaceId: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select active + suppressed + invalid + duplicate as total, active, suppressed, invalid, duplicate, domains,
           active_before_import as "activeBeforeImport"
    from contact_counts where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? none;
}

export interface DayCounts {
  /** YYYY-MM-DD */
  day: string;
  active: number;
  suppressed: number;
  invalid: number;
  domains: number;
}

/**
 * The figures at the end of each of the last `days` days (London time), oldest first. A day without
 * a change shows the figures of the day before, and zeros before the first change ever.
 */
export async function selectHistory(tx: TenantTx, workspaceId: number, days: number): Promise<DayCounts[]> {
  const { rows } = await sql<DayCounts>`
    with today as (select (now() at time zone 'Europe/London')::date as day),
    changes as (
      select c.* from contact_counts_daily c, today
      where c.workspace_id = ${workspaceId} and c.day >= (
        select coalesce(max(e.day), '-infinity') from contact_counts_daily e
        where e.workspace_id = ${workspaceId} and e.day <= today.day - (${days}::int - 1)
      )
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.active, 0) as active, coalesce(c.suppressed, 0) as suppressed,
           coalesce(c.invalid, 0) as invalid, coalesce(c.domains, 0) as domains
    from today, lateral (select today.day - back as day from generate_series(${days}::int - 1, 0, -1) back) d
    left join lateral (select * from changes where changes.day <= d.day order by changes.day desc limit 1) c on true
    order by d.day`.execute(tx);
  return rows;
}
