import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { AgentKind, Device } from '../rules/agents.ts';
import { judgedBy } from '../rules/agents.ts';

export interface NewEvent {
  mailingId: number;
  sendId: number;
  /** Absent: as it is known already, or nobody. */
  contactId?: number | null;
  kind: 'open' | 'click' | 'leave';
  link: number | null;
  agent: AgentKind;
  device: Device | null;
  isHuman: boolean;
}

/**
 * Writes events down and counts them: each event, the first of its kind for each
 * person, the hour, and the link. A click tells that the message was opened.
 */
export async function insertEvents(
  tx: TenantTx,
  workspaceId: number,
  events: readonly NewEvent[],
): Promise<void> {
  // Each person has a row before anybody is counted, so that two processes that count the same
  // person wait for each other there.
  await sql`
    insert into tracked_sends (workspace_id, mailing_id, send_id, contact_id)
    select ${workspaceId}::bigint, m, s, max(c)
    from unnest(${events.map(({ mailingId }) => mailingId)}::bigint[], ${events.map(({ sendId }) => sendId)}::bigint[],
      ${events.map(({ contactId }) => contactId ?? null)}::bigint[]) e(m, s, c)
    group by m, s order by m, s
    on conflict do nothing`.execute(tx);
  await sql`
    with events as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as e("mailingId" bigint, "sendId" bigint, kind text, link int, agent text, device text, "isHuman" boolean)
    ), kept as (
      insert into tracking_events (workspace_id, mailing_id, send_id, kind, link, agent, device, is_human, judged_by)
      select ${workspaceId}, "mailingId", "sendId", kind, link, agent, device, "isHuman", ${judgedBy} from events
    ), people as (
      select "mailingId" as mailing_id, "sendId" as send_id,
        bool_or(kind in ('open', 'click')) as opened, bool_or(kind in ('open', 'click') and "isHuman") as human_opened,
        bool_or(kind = 'click') as clicked, bool_or(kind = 'click' and "isHuman") as human_clicked,
        bool_or(kind = 'leave') as has_left
      from events group by 1, 2
    ), before as materialized (
      select p.*, t.opened_at, t.human_opened_at, t.clicked_at, t.human_clicked_at, t.left_at
      from people p
      join tracked_sends t on t.workspace_id = ${workspaceId} and t.mailing_id = p.mailing_id and t.send_id = p.send_id
      order by p.mailing_id, p.send_id
      for update of t
    ), firsts as (
      update tracked_sends t set
        opened_at = coalesce(t.opened_at, case when p.opened then now() end),
        human_opened_at = coalesce(t.human_opened_at, case when p.human_opened then now() end),
        clicked_at = coalesce(t.clicked_at, case when p.clicked then now() end),
        human_clicked_at = coalesce(t.human_clicked_at, case when p.human_clicked then now() end),
        left_at = coalesce(t.left_at, case when p.has_left then now() end)
      from before p
      where t.workspace_id = ${workspaceId} and t.mailing_id = p.mailing_id and t.send_id = p.send_id
    ), hours as (
      insert into mailing_hours as h
        (workspace_id, mailing_id, hour, opened, human_opened, clicked, human_clicked, unsubscribed)
      select ${workspaceId}, mailing_id, date_trunc('hour', now(), 'UTC'),
        count(*) filter (where opened and opened_at is null), count(*) filter (where human_opened and human_opened_at is null),
        count(*) filter (where clicked and clicked_at is null), count(*) filter (where human_clicked and human_clicked_at is null),
        count(*) filter (where has_left and left_at is null)
      from before group by mailing_id order by mailing_id
      on conflict (workspace_id, mailing_id, hour) do update set
        opened = h.opened + excluded.opened, human_opened = h.human_opened + excluded.human_opened,
        clicked = h.clicked + excluded.clicked, human_clicked = h.human_clicked + excluded.human_clicked,
        unsubscribed = h.unsubscribed + excluded.unsubscribed
    )
    update mailing_links l
    set clicks = l.clicks + c.clicks, human_clicks = l.human_clicks + c.human_clicks
    from (
      select "mailingId" as mailing_id, link, count(*) as clicks, count(*) filter (where "isHuman") as human_clicks
      from events where kind = 'click' group by 1, 2
    ) c
    where l.workspace_id = ${workspaceId} and l.mailing_id = c.mailing_id and l.number = c.link`.execute(tx);
}

/** How many people did what with a mailing's messages. */
export interface MailingFigures {
  mailingId: number;
  opened: number;
  humanOpened: number;
  clicked: number;
  humanClicked: number;
  unsubscribed: number;
}

export async function selectFigures(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<MailingFigures[]> {
  const { rows } = await sql<MailingFigures>`
    select mailing_id as "mailingId", sum(opened)::bigint as opened, sum(human_opened)::bigint as "humanOpened",
      sum(clicked)::bigint as clicked, sum(human_clicked)::bigint as "humanClicked",
      sum(unsubscribed)::bigint as unsubscribed
    from mailing_hours where workspace_id = ${workspaceId} and mailing_id = any(${[...mailingIds]}::bigint[])
    group by mailing_id`.execute(tx);
  return rows;
}

/** A mailing's links with their clicks, and its figures by the hour. */
export async function selectDetails(tx: TenantTx, workspaceId: number, mailingId: number) {
  const links = await sql<{ number: number; part: string; url: string; clicks: number; humanClicks: number }>`
    select number, part, url, clicks, human_clicks as "humanClicks" from mailing_links
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} order by number`.execute(tx);
  const hours = await sql<Omit<MailingFigures, 'mailingId'> & { hour: Date }>`
    select hour, opened, human_opened as "humanOpened", clicked, human_clicked as "humanClicked", unsubscribed
    from mailing_hours where workspace_id = ${workspaceId} and mailing_id = ${mailingId} order by hour`.execute(
    tx,
  );
  return { links: links.rows, hours: hours.rows };
}

/** Deletes events of so many months ago. The figures stay. */
export async function forgetEvents(tx: TenantTx, workspaceId: number, months: number): Promise<void> {
  await sql`
    delete from tracking_events
    where workspace_id = ${workspaceId} and at < now() - make_interval(months => ${months}::int)`.execute(tx);
}
