import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** Figures of a mailing at one receiving domain. Null: at all domains that are not told apart. */
export interface DomainFigures {
  domain: string | null;
  /** How many domains these are. */
  domains: number;
  recipients: number;
  sent: number;
  failed: number;
  /** The recipients in each of the sets that were asked for. */
  among: Record<string, number>;
}

/**
 * A mailing by receiving domain: those with most recipients, then all others together. `sets` are
 * SQL that yields the `send_id` of recipients. It reads through the whole mailing.
 */
export async function selectDomainFigures(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { most, sets }: { most: number; sets: Readonly<Record<string, Fragment>> },
): Promise<DomainFigures[]> {
  const { rows } = await sql<DomainFigures>`
    with counted as (
      select domain, count(*) as recipients, count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state = 'failed') as failed
      from sends
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and state <> 'left_out'
      group by domain
    ), placed as (
      select *, row_number() over (order by recipients desc, domain) <= ${most} as is_named from counted
    )
    select case when is_named then domain end as domain, count(*) as domains, sum(recipients)::bigint as recipients,
      sum(sent)::bigint as sent, sum(failed)::bigint as failed
    from placed group by is_named, 1 order by is_named desc, 3 desc, 1`.execute(tx);
  const named = rows.flatMap(({ domain }) => domain ?? []);
  const found = rows.map((row) => ({ ...row, among: {} as Record<string, number> }));
  for (const [set, among] of Object.entries(sets)) {
    const counts = await sql<{ domain: string | null; people: number }>`
      select case when s.domain = any(${named}::text[]) then s.domain end as domain, count(*) as people
      from (${among}) d
      join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = d.send_id
      group by 1`.execute(tx);
    for (const row of found)
      row.among[set] = counts.rows.find(({ domain }) => domain === row.domain)?.people ?? 0;
  }
  return found;
}
