import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Breakdown } from '../../contract/breakdown.ts';

export type Figures = Pick<Breakdown, 'domains' | 'links'>;

export interface KeptCount {
  countedAt: Date | null;
  /** It is older than it should be, and nobody is at it. */
  isDue: boolean;
  isClaimed: boolean;
  figures: Figures | null;
}

/** Seconds for which a count is good. One that took long is good for twenty times as long. */
const goodSeconds = 15;

/** The last count of a campaign. Undefined: there is none. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  campaignId: number,
): Promise<KeptCount | undefined> {
  const { rows } = await sql<KeptCount>`
    select counted_at as "countedAt", figures, coalesce(claimed_until > clock_timestamp(), false) as "isClaimed",
      coalesce(counted_at, '-infinity') < clock_timestamp()
        - greatest(make_interval(secs => ${goodSeconds}), make_interval(secs => took_ms * 20 / 1000.0))
        and coalesce(claimed_until, '-infinity') < clock_timestamp() as "isDue"
    from campaign_breakdowns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`.execute(tx);
  return rows[0];
}

/** Takes a count over for some minutes. Returns false when another process is at it. */
export async function claimCount(tx: TenantTx, workspaceId: number, campaignId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into campaign_breakdowns as d (workspace_id, campaign_id, claimed_until)
    values (${workspaceId}, ${campaignId}, clock_timestamp() + interval '5 minutes')
    on conflict (workspace_id, campaign_id) do update set claimed_until = excluded.claimed_until
    where coalesce(d.claimed_until, '-infinity') < clock_timestamp()
    returning 1`.execute(tx);
  return rows.length > 0;
}

export async function keepCount(
  tx: TenantTx,
  workspaceId: number,
  campaignId: number,
  { figures, tookMs }: { figures: Figures; tookMs: number },
): Promise<void> {
  await sql`
    update campaign_breakdowns
    set counted_at = clock_timestamp(), took_ms = ${Math.round(tookMs)}, claimed_until = null,
      figures = ${JSON.stringify(figures)}::jsonb
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`.execute(tx);
}
