import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** As many sends are counted one by one. */
const countedOneByOne = 50_000;
/** Sends that are looked up in larger mailings. */
const mostLooks = 1_000;

/**
 * How many messages of a mailing mail servers took, by the hour. Millions are not read for it: in
 * large mailings, neighbouring parts count together for the hour in which their first message left.
 */
export async function selectSentByHour(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  total: number,
  looks = mostLooks,
): Promise<{ hour: Date; sent: number }[]> {
  const { rows } = await (total <= countedOneByOne
    ? sql<{ hour: Date; sent: number }>`
        select date_trunc('hour', handed_at, 'UTC') as hour, count(*) as sent from sends
        where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and state = 'sent' and handed_at is not null
        group by 1 order by 1`
    : sql<{ hour: Date; sent: number }>`
        with parts as (
          select first_send, last_send, sent, 
            (row_number() over (order by first_send) - 1) * ${looks}::int / count(*) over () as lot
          from send_parts where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and sent > 0
        ), lots as (
          select min(first_send) as first_send, max(last_send) as last_send, sum(sent) as sent from parts group by lot
        )
        select date_trunc('hour', f.handed_at, 'UTC') as hour, sum(l.sent)::bigint as sent
        from lots l cross join lateral (
          select s.handed_at from sends s
          where s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId}
            and s.id between l.first_send and l.last_send and s.handed_at is not null
          order by s.id limit 1
        ) f
        group by 1 order by 1`
  ).execute(tx);
  return rows;
}

/** Parts, and sends of each, among which the first message of a mailing is looked for. */
const firstParts = 20;
const firstSends = 20;

/**
 * The last campaigns that were completed before a moment, whose opens are counted and of which
 * something left: their mailings, and when the first message of each left. It is looked for among
 * few, so it is the first but for some hours where recipients get it by their own clocks.
 */
export async function selectCompletedBefore(
  tx: TenantTx,
  workspaceId: number,
  before: Date,
  most: number,
): Promise<{ mailingId: number; firstAt: Date }[]> {
  const { rows } = await sql<{ mailingId: number; firstAt: Date }>`
    select m.id as "mailingId", coalesce(f.at, m.started_at, m.created_at) as "firstAt"
    from (
      select id, started_at, created_at, coalesce(ended_at, 'infinity') as ended from mailings
      where workspace_id = ${workspaceId} and kind = 'campaign' and coalesce(ended_at, 'infinity') < ${before}
        and status = 'completed' and tracks_opens and coalesce((books ->> 'sent')::bigint, 1) > 0
      order by coalesce(ended_at, 'infinity') desc, id desc limit ${most}
    ) m
    cross join lateral (
      select min(s.handed_at) as at
      from (
        select first_send, last_send from send_parts
        where workspace_id = ${workspaceId} and mailing_id = m.id and sent > 0
        order by first_send limit ${firstParts}
      ) p
      cross join lateral (
        select handed_at from sends
        where workspace_id = ${workspaceId} and mailing_id = m.id
          and id between p.first_send and p.last_send and handed_at is not null
        order by id limit ${firstSends}
      ) s
    ) f
    order by m.ended desc, m.id desc`.execute(tx);
  return rows;
}
