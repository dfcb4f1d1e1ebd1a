import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** As many sends are counted one by one. */
const countedOneByOne = 50_000;

/**
 * How many messages of a mailing mail servers took, by the hour. In large mailings each part of up
 * to 500 messages counts for the hour in which its first one left: millions are not read for it.
 */
export async function selectSentByHour(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  total: number,
): Promise<{ hour: Date; sent: number }[]> {
  const { rows } = await (total <= countedOneByOne
    ? sql<{ hour: Date; sent: number }>`
        select date_trunc('hour', handed_at, 'UTC') as hour, count(*) as sent from sends
        where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and state = 'sent' and handed_at is not null
        group by 1 order by 1`
    : sql<{ hour: Date; sent: number }>`
        select date_trunc('hour', f.handed_at, 'UTC') as hour, sum(p.sent)::bigint as sent
        from send_parts p cross join lateral (
          select s.handed_at from sends s
          where s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId}
            and s.id between p.first_send and p.last_send and s.handed_at is not null
          order by s.id limit 1
        ) f
        where p.workspace_id = ${workspaceId} and p.mailing_id = ${mailingId} and p.sent > 0
        group by 1 order by 1`
  ).execute(tx);
  return rows;
}
