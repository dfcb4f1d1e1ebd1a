import { type RawBuilder, sql } from 'kysely';
import { eventsNoted } from '#features/events/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type Device, type Judged, judgedBy, type MailProgram, scanSeconds } from '../rules/agents.ts';
import type { SendKey } from './sends-port.ts';

/** Something that a reader or their program did, judged by what is known without their message. */
export interface NewEvent extends SendKey, Judged {
  kind: 'open' | 'click' | 'leave';
  link: number | null;
  isUnseen: boolean;
  /** What the asking program calls itself, as `hashOf` has it. Null when nothing asked. */
  agentHash: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Each person of the CTE `people`, with when they first did what. Yields those who did something
 * for the first time, as `now()`. All are locked, in one order, so that two processes that count
 * the same people wait for each other.
 */
const markPeople = (workspace: Fragment): Fragment => sql`
  insert into tracked_sends as t (workspace_id, mailing_id, send_id, contact_id, opened_at, human_opened_at, clicked_at,
    human_clicked_at, left_at)
  select ${workspace}, mailing_id, send_id, contact_id, case when opened then now() end, case when human_opened then now() end,
    case when clicked then now() end, case when human_clicked then now() end, case when has_left then now() end
  from people order by mailing_id, send_id
  on conflict (workspace_id, mailing_id, send_id) do update set
    opened_at = coalesce(t.opened_at, excluded.opened_at),
    human_opened_at = coalesce(t.human_opened_at, excluded.human_opened_at),
    clicked_at = coalesce(t.clicked_at, excluded.clicked_at),
    human_clicked_at = coalesce(t.human_clicked_at, excluded.human_clicked_at),
    left_at = coalesce(t.left_at, excluded.left_at)
  where t.opened_at is null and excluded.opened_at is not null
    or t.human_opened_at is null and excluded.human_opened_at is not null
    or t.clicked_at is null and excluded.clicked_at is not null
    or t.human_clicked_at is null and excluded.human_clicked_at is not null
    or t.left_at is null and excluded.left_at is not null
  returning t.mailing_id, t.send_id, t.opened_at, t.human_opened_at, t.clicked_at, t.human_clicked_at, t.left_at`;

/** Counts who did something for the first time, of the CTE `marked`, in this hour. */
const countHours = (workspace: Fragment): Fragment => sql`
  insert into mailing_hours as h
    (workspace_id, mailing_id, hour, opened, human_opened, clicked, human_clicked, unsubscribed)
  select ${workspace}, mailing_id, date_trunc('hour', now(), 'UTC'),
    count(*) filter (where opened_at = now()), count(*) filter (where human_opened_at = now()),
    count(*) filter (where clicked_at = now()), count(*) filter (where human_clicked_at = now()),
    count(*) filter (where left_at = now())
  from marked group by mailing_id order by mailing_id
  on conflict (workspace_id, mailing_id, hour) do update set
    opened = h.opened + excluded.opened, human_opened = h.human_opened + excluded.human_opened,
    clicked = h.clicked + excluded.clicked, human_clicked = h.human_clicked + excluded.human_clicked,
    unsubscribed = h.unsubscribed + excluded.unsubscribed`;

/**
 * Counts with what the same people opened and clicked for the first time. Both CTEs are grouped
 * and not joined: PostgreSQL expects one row of each, and would compare all with all.
 */
const countFacets = (workspace: Fragment): Fragment => sql`
  insert into mailing_facets as f (workspace_id, mailing_id, facet, value, opened, clicked)
  select ${workspace}, u.mailing_id, v.facet, v.value, sum(u.opened), sum(u.clicked)
  from (
    select mailing_id, used, sum(opened) as opened, sum(clicked) as clicked
    from (
      select mailing_id, send_id, max(open_with) as open_with, max(click_with) as click_with,
        bool_or(has_opened)::int as has_opened, bool_or(has_clicked)::int as has_clicked
      from (
        select mailing_id, send_id, open_with, click_with, false as has_opened, false as has_clicked from people
        union all
        select mailing_id, send_id, null, null, human_opened_at = now(), human_clicked_at = now() from marked
      ) b group by mailing_id, send_id
    ) w
    cross join lateral (values (open_with, has_opened, 0), (click_with, 0, has_clicked)) a(used, opened, clicked)
    where opened > 0 or clicked > 0
    group by mailing_id, used
  ) u
  cross join lateral (values ('device', u.used::jsonb->>0), ('program', u.used::jsonb->>1), ('country', u.used::jsonb->>2))
    v(facet, value)
  where v.value is not null
  group by 2, 3, 4 order by 2, 3, 4
  on conflict (workspace_id, mailing_id, facet, value) do update
  set opened = f.opened + excluded.opened, clicked = f.clicked + excluded.clicked`;

/**
 * The clicks of each link, of the CTE `events`. Two processes that count the same links wait for
 * each other. The people come first, as they do where events are judged again: in any other order
 * the two would wait for each other without end.
 */
const lockLinks = (workspace: Fragment): Fragment => sql`
  select l.workspace_id, l.mailing_id, l.number, c.clicks, c.human_clicks
  from (
    select "mailingId" as mailing_id, link, count(*) as clicks, count(*) filter (where is_human) as human_clicks
    from events where kind = 'click' group by 1, 2
  ) c
  join mailing_links l on l.workspace_id = ${workspace} and l.mailing_id = c.mailing_id and l.number = c.link
  where (select count(*) from marked) >= 0
  order by l.mailing_id, l.number
  for no key update of l`;

/**
 * The statement that writes events down and counts them: each event, the first of its kind for each
 * person, the hour, with what they read, and the link. A click tells that the message was opened.
 * `sends` yields (workspace_id, mailing_id, send_id, contact_id, handed_at). What is about none of
 * them is not counted. It has no parameters, so that it can be sent together with others. A
 * transaction has at most one: what was done first is known by the transaction's moment.
 */
export function eventStatement(
  workspaceId: number,
  sends: Fragment,
  events: readonly NewEvent[],
): RawBuilder<unknown> {
  const workspace = sql`${sql.lit(workspaceId)}::bigint`;
  return sql`
    with events as materialized (
      select e.*, k.contact_id, e."isHuman" and (
          e.kind = 'leave' or k.handed_at is null
          or to_timestamp(e.at / 1000.0) >= k.handed_at + make_interval(secs => ${sql.lit(scanSeconds)})
        ) as is_human
      from jsonb_to_recordset(${sql.lit(JSON.stringify(events))}::jsonb) as e(
        "mailingId" bigint, "sendId" bigint, kind text, link int, agent text, device text, program text, country text,
        "agentHash" bigint, "isUnseen" boolean, "isHuman" boolean, at bigint)
      join (${sends}) k on k.workspace_id = ${workspace} and k.mailing_id = e."mailingId" and k.send_id = e."sendId"
    ), streamed as (
      ${eventsNoted(
        workspace,
        sql`
          select case kind when 'open' then 'email.opened' when 'click' then 'email.clicked' else 'email.unsubscribed' end as type,
            "mailingId" as subject_id,
            case when kind <> 'leave' then
              jsonb_strip_nulls(jsonb_build_object('human', is_human, 'link', link)) end as data,
            array_agg(contact_id) filter (where contact_id is not null) as contact_ids
          from events group by kind, "mailingId", is_human, link`,
      )}
    ), people as materialized (
      select "mailingId" as mailing_id, "sendId" as send_id, max(contact_id) as contact_id,
        bool_or(kind in ('open', 'click')) as opened, bool_or(kind in ('open', 'click') and is_human) as human_opened,
        bool_or(kind = 'click') as clicked, bool_or(kind = 'click' and is_human) as human_clicked,
        bool_or(kind = 'leave') as has_left,
        (array_agg(jsonb_build_array(device, program, country) order by at, device, program, country)
          filter (where kind in ('open', 'click') and is_human))[1]::text as open_with,
        (array_agg(jsonb_build_array(device, program, country) order by at, device, program, country)
          filter (where kind = 'click' and is_human))[1]::text as click_with
      from events group by 1, 2
    ), marked as materialized (${markPeople(workspace)}
    ), kept as (
      insert into tracking_events (workspace_id, mailing_id, send_id, kind, link, agent, agent_hash, is_head, device,
        program, country, is_human, judged_by)
      select ${workspace}, "mailingId", "sendId", kind, link, agent, "agentHash", "isUnseen", device,
        program, country, is_human, ${sql.lit(judgedBy)}
      from events
      -- Each person is locked first, so that the ids of their events have the order of the counts.
      where (select count(*) from marked) >= 0
      order by at, device, program, country
    ), hours as (${countHours(workspace)}
    ), facets as (${countFacets(workspace)}
    ), followed as materialized (${lockLinks(workspace)}
    )
    update mailing_links l
    set clicks = l.clicks + c.clicks, human_clicks = l.human_clicks + c.human_clicks
    from followed c
    where l.workspace_id = ${workspace} and l.mailing_id = c.mailing_id and l.number = c.number`;
}

/** How many people did what with a mailing's messages. */
interface MailingFigures {
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

/** How many people opened mailings for the first time, by the hour. */
export async function selectOpensByHour(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<{ mailingId: number; hour: Date; opened: number; humanOpened: number }[]> {
  const { rows } = await sql<{ mailingId: number; hour: Date; opened: number; humanOpened: number }>`
    select mailing_id as "mailingId", hour, opened, human_opened as "humanOpened" from mailing_hours
    where workspace_id = ${workspaceId} and mailing_id = any(${[...mailingIds]}::bigint[]) and opened > 0
    order by mailing_id, hour`.execute(tx);
  return rows;
}

/**
 * What people did with these mailings in each hour of the week, on the clocks in London, in the
 * last `days`. `weight`: opens and clicks for each message that was sent.
 */
export async function selectHoursOfWeek(
  tx: TenantTx,
  workspaceId: number,
  mailings: readonly { id: number; sent: number }[],
  days: number,
): Promise<{ weekday: number; hour: number; opened: number; weight: number }[]> {
  const { rows } = await sql<{ weekday: number; hour: number; opened: number; weight: number }>`
    select extract(dow from h.hour at time zone 'Europe/London')::int as weekday,
      extract(hour from h.hour at time zone 'Europe/London')::int as hour,
      sum(h.human_opened)::bigint as opened, sum((h.human_opened + h.human_clicked) / m.sent::float8) as weight
    from unnest(${mailings.map(({ id }) => id)}::bigint[], ${mailings.map(({ sent }) => sent)}::bigint[]) as m(id, sent)
    join mailing_hours h on h.workspace_id = ${workspaceId} and h.mailing_id = m.id
    where m.sent > 0 and h.hour > now() - make_interval(days => ${days}::int)
    group by 1, 2 order by 1, 2`.execute(tx);
  return rows;
}

/** A mailing's links with their clicks, its figures by the hour, and with what people read it. */
export async function selectDetails(tx: TenantTx, workspaceId: number, mailingId: number) {
  const links = await sql<{ number: number; part: string; url: string; clicks: number; humanClicks: number }>`
    select number, part, url, clicks, human_clicks as "humanClicks" from mailing_links
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} order by number`.execute(tx);
  const hours = await sql<Omit<MailingFigures, 'mailingId'> & { hour: Date }>`
    select hour, opened, human_opened as "humanOpened", clicked, human_clicked as "humanClicked", unsubscribed
    from mailing_hours where workspace_id = ${workspaceId} and mailing_id = ${mailingId} order by hour`.execute(
    tx,
  );
  const facets = await sql<{ facet: Facet['facet']; value: string; opened: number; clicked: number }>`
    select facet, value, opened, clicked from mailing_facets
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and (opened > 0 or clicked > 0)
    order by opened desc, clicked desc, value`.execute(tx);
  return { links: links.rows, hours: hours.rows, facets: facets.rows as Facet[] };
}

type Facet = { opened: number; clicked: number } & (
  | { facet: 'device'; value: Device }
  | { facet: 'program'; value: MailProgram }
  | { facet: 'country'; value: string }
);
