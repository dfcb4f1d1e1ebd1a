import { type RawBuilder, sql } from 'kysely';
import { eventsNoted } from '#features/events/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { type Device, type Judged, judgedBy, type MailProgram, scanSeconds } from '../rules/agents.ts';
import type { SendKey } from './sends-port.ts';

/** Something that a reader or their program did, judged by what is known without their message. */
export interface NewEvent extends SendKey, Judged {
  kind: 'open' | 'click' | 'leave';
  link: number | null;
  isHead: boolean;
  /** What the asking program calls itself, as `hashOf` has it. Null when nothing asked. */
  agentHash: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Counts what people opened and clicked with for the first time, of the CTE `before`. */
const countFacets = (workspace: Fragment): Fragment => sql`
  insert into mailing_facets as f (workspace_id, mailing_id, facet, value, opened, clicked)
  select ${workspace}, p.mailing_id, v.facet, v.value, count(*) filter (where p.is_open), count(*) filter (where not p.is_open)
  from (
    select mailing_id, open_with as used, true as is_open from before where human_opened and human_opened_at is null
    union all
    select mailing_id, click_with, false from before where human_clicked and human_clicked_at is null
  ) p
  cross join lateral (values ('device', p.used->>0), ('program', p.used->>1), ('country', p.used->>2)) v(facet, value)
  where v.value is not null
  group by 2, 3, 4 order by 2, 3, 4
  on conflict (workspace_id, mailing_id, facet, value) do update
  set opened = f.opened + excluded.opened, clicked = f.clicked + excluded.clicked`;

/** Counts who did something for the first time, of the CTE `before`, in this hour. */
const countHours = (workspace: Fragment): Fragment => sql`
  insert into mailing_hours as h
    (workspace_id, mailing_id, hour, opened, human_opened, clicked, human_clicked, unsubscribed)
  select ${workspace}, mailing_id, date_trunc('hour', now(), 'UTC'),
    count(*) filter (where opened and opened_at is null), count(*) filter (where human_opened and human_opened_at is null),
    count(*) filter (where clicked and clicked_at is null), count(*) filter (where human_clicked and human_clicked_at is null),
    count(*) filter (where has_left and left_at is null)
  from before group by mailing_id order by mailing_id
  on conflict (workspace_id, mailing_id, hour) do update set
    opened = h.opened + excluded.opened, human_opened = h.human_opened + excluded.human_opened,
    clicked = h.clicked + excluded.clicked, human_clicked = h.human_clicked + excluded.human_clicked,
    unsubscribed = h.unsubscribed + excluded.unsubscribed`;

/**
 * The clicks of each link, of the CTE `events`. Two processes that count the same links wait for
 * each other.
 */
const lockLinks = (workspace: Fragment): Fragment => sql`
  select l.workspace_id, l.mailing_id, l.number, c.clicks, c.human_clicks
  from (
    select "mailingId" as mailing_id, link, count(*) as clicks, count(*) filter (where is_human) as human_clicks
    from events where kind = 'click' group by 1, 2
  ) c
  join mailing_links l on l.workspace_id = ${workspace} and l.mailing_id = c.mailing_id and l.number = c.link
  order by l.mailing_id, l.number
  for no key update of l`;

/**
 * The statements that write events down and count them, in one transaction: each event, the first
 * of its kind for each person, the hour, and the link. A click tells that the message was opened.
 * `sends` yields (workspace_id, mailing_id, send_id, contact_id, handed_at). What is about none of
 * them is not counted. They have no parameters, so that they can be sent together.
 */
export function eventStatements(
  workspaceId: number,
  sends: Fragment,
  events: readonly NewEvent[],
): RawBuilder<unknown>[] {
  const workspace = sql`${sql.lit(workspaceId)}::bigint`;
  const judged = sql`
    select e.*, k.contact_id, e."isHuman" and (
        e.kind = 'leave' or k.handed_at is null
        or to_timestamp(e.at / 1000.0) >= k.handed_at + make_interval(secs => ${sql.lit(scanSeconds)})
      ) as is_human
    from jsonb_to_recordset(${sql.lit(JSON.stringify(events))}::jsonb) as e(
      "mailingId" bigint, "sendId" bigint, kind text, link int, agent text, device text, program text, country text,
      "agentHash" bigint, "isHead" boolean, "isHuman" boolean, at bigint)
    join (${sends}) k on k.workspace_id = ${workspace} and k.mailing_id = e."mailingId" and k.send_id = e."sendId"`;
  return [
    // Each person has a row before anybody is counted, so that two processes that count the same
    // person wait for each other there.
    sql`
    insert into tracked_sends (workspace_id, mailing_id, send_id, contact_id)
    select ${workspace}, "mailingId", "sendId", max(contact_id) from (${judged}) e
    group by 2, 3 order by 2, 3
    on conflict do nothing`,
    sql`
    with events as materialized (${judged}), streamed as (
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
    ), people as (
      select "mailingId" as mailing_id, "sendId" as send_id,
        bool_or(kind in ('open', 'click')) as opened, bool_or(kind in ('open', 'click') and is_human) as human_opened,
        bool_or(kind = 'click') as clicked, bool_or(kind = 'click' and is_human) as human_clicked,
        bool_or(kind = 'leave') as has_left,
        (array_agg(jsonb_build_array(device, program, country) order by at, device, program, country)
          filter (where kind in ('open', 'click') and is_human))[1] as open_with,
        (array_agg(jsonb_build_array(device, program, country) order by at, device, program, country)
          filter (where kind = 'click' and is_human))[1] as click_with
      from events group by 1, 2
    ), before as materialized (
      select p.*, t.opened_at, t.human_opened_at, t.clicked_at, t.human_clicked_at, t.left_at
      from people p
      join tracked_sends t on t.workspace_id = ${workspace} and t.mailing_id = p.mailing_id and t.send_id = p.send_id
      order by p.mailing_id, p.send_id
      for update of t
    ), kept as (
      insert into tracking_events (workspace_id, mailing_id, send_id, kind, link, agent, agent_hash, is_head, device,
        program, country, is_human, judged_by)
      select ${workspace}, "mailingId", "sendId", kind, link, agent, "agentHash", "isHead", device,
        program, country, is_human, ${sql.lit(judgedBy)}
      from events
      -- Each person is locked first, so that the ids of their events have the order of the counts.
      where (select count(*) from before) > 0
      order by at, device, program, country
    ), firsts as (
      update tracked_sends t set
        opened_at = coalesce(t.opened_at, case when p.opened then now() end),
        human_opened_at = coalesce(t.human_opened_at, case when p.human_opened then now() end),
        clicked_at = coalesce(t.clicked_at, case when p.clicked then now() end),
        human_clicked_at = coalesce(t.human_clicked_at, case when p.human_clicked then now() end),
        left_at = coalesce(t.left_at, case when p.has_left then now() end)
      from before p
      where t.workspace_id = ${workspace} and t.mailing_id = p.mailing_id and t.send_id = p.send_id
        and (p.opened and p.opened_at is null or p.human_opened and p.human_opened_at is null
          or p.clicked and p.clicked_at is null or p.human_clicked and p.human_clicked_at is null
          or p.has_left and p.left_at is null)
    ), hours as (${countHours(workspace)}
    ), facets as (${countFacets(workspace)}
    ), followed as materialized (${lockLinks(workspace)}
    )
    update mailing_links l
    set clicks = l.clicks + c.clicks, human_clicks = l.human_clicks + c.human_clicks
    from followed c
    where l.workspace_id = ${workspace} and l.mailing_id = c.mailing_id and l.number = c.number`,
  ];
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
