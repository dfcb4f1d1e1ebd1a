import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { burst, judgedBy, scanSeconds } from '../../rules/agents.ts';

/** The messages of a mailing after one send and up to another. */
export interface Stretch {
  workspaceId: number;
  mailingId: number;
  after: number;
  upTo: number;
}

/** How far a workspace's events are judged by the rules of today. */
export interface Judgement {
  /** What is to be judged. Null: nothing. */
  due: 'all' | 'recent' | null;
  /** When the last pass by these rules began. Null: there was none. */
  since: Date | null;
  now: Date;
}

/** A pass over all is due when the rules have changed, and one over what is recent a day later. */
export async function selectJudgement(tx: TenantTx, workspaceId: number): Promise<Judgement> {
  const { rows } = await sql<Judgement>`
    select now() as now, j.judged_at as since,
      case when j.workspace_id is null then 'all'
        when not j.is_settled and j.judged_at <= now() - interval '1 day' then 'recent' end as due
    from (values (${workspaceId}::bigint)) w (id)
      left join tracking_judgements j on j.workspace_id = w.id and j.judged_by = ${judgedBy}`.execute(tx);
  return rows[0] as Judgement;
}

/** Writes down that a pass which began at `at` is over. */
export async function upsertJudgement(
  tx: TenantTx,
  workspaceId: number,
  { at, isSettled }: { at: Date; isSettled: boolean },
): Promise<void> {
  await sql`
    insert into tracking_judgements (workspace_id, judged_by, judged_at, is_settled)
    values (${workspaceId}, ${judgedBy}, ${at}, ${isSettled})
    on conflict (workspace_id) do update
    set judged_by = excluded.judged_by, judged_at = excluded.judged_at, is_settled = excluded.is_settled`.execute(
    tx,
  );
}

/**
 * The mailings whose events are all still there, newest first: those with events since a moment, if
 * it is given.
 */
export async function selectMailingsWithEvents(
  tx: TenantTx,
  workspaceId: number,
  { months, since }: { months: number; since: Date | null },
): Promise<number[]> {
  const { rows } = await sql<{ mailingId: number }>`
    select mailing_id as "mailingId" from mailing_hours where workspace_id = ${workspaceId}
    group by mailing_id
    having min(hour) > now() - make_interval(months => ${months})
      ${since ? sql`and max(hour) > ${since}::timestamptz - interval '2 hours'` : sql``}
    order by mailing_id desc`.execute(tx);
  return rows.map(({ mailingId }) => mailingId);
}

/** The last of the next `most` messages that somebody did something with; null after the end. */
export async function selectStretchEnd(
  tx: TenantTx,
  { workspaceId, mailingId, after }: Omit<Stretch, 'upTo'>,
  most: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    select max(send_id) as last from (
      select send_id from tracked_sends
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id > ${after}
      order by send_id limit ${most}
    ) s`.execute(tx);
  return rows[0]?.last ?? null;
}

const ofStretch = ({ workspaceId, mailingId, after, upTo }: Stretch): Fragment => sql`
  e.workspace_id = ${workspaceId} and e.mailing_id = ${mailingId} and e.send_id > ${after} and e.send_id <= ${upTo}
  and e.kind in ('open', 'click')`;

/** What the programs call themselves that older rules have judged. */
export async function selectOldAgents(
  tx: TenantTx,
  stretch: Stretch,
): Promise<{ hash: string; agent: string }[]> {
  const { rows } = await sql<{ hash: string; agent: string }>`
    select a.hash::text as hash, a.agent
    from (
      select distinct e.agent_hash from tracking_events e
      where ${ofStretch(stretch)} and e.judged_by < ${judgedBy} and e.agent_hash is not null
    ) e
    join tracking_agents a on a.workspace_id = ${stretch.workspaceId} and a.hash = e.agent_hash`.execute(tx);
  return rows;
}

/** Locks the people of a stretch in the order in which those who count them do. */
export async function lockPeople(tx: TenantTx, stretch: Stretch): Promise<void> {
  const { workspaceId, mailingId, after, upTo } = stretch;
  await sql`
    select from tracked_sends
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id > ${after} and send_id <= ${upTo}
    order by send_id for update`.execute(tx);
}

const burstTime = sql`make_interval(secs => ${sql.lit(burst.seconds)})`;

/**
 * The CTE `acts`: those of `named`, with the clicks of a burst as those of a scanner, whatever it
 * calls itself.
 */
const withBursts = sql`followed as (
    select n.*, case when kind = 'click' then array_agg(link) over (
        partition by send_id, kind order by at range between current row and ${burstTime} following
      ) end as links
    from named n
  ), begun as (
    select f.*,
      (select count(distinct link) from unnest(links) link) >= ${sql.lit(burst.links)} as begins_burst
    from followed f
  ), acts as materialized (
    select id, at, send_id, kind, link, country, was_human, was_device, was_program,
      is_judged or is_scanned and is_human as is_judged,
      case when is_scanned and is_human then 'scanner' else agent end as agent,
      is_human and not is_scanned as is_human,
      case when is_scanned then null else device end as device,
      case when is_scanned then null else program end as program
    from (
      select b.*, bool_or(begins_burst) over (
          partition by send_id, kind order by at range between ${burstTime} preceding and current row
        ) as is_scanned
      from begun b
    ) s
  ),`;

/**
 * Whether an event `e` is not of the seconds after the hand-over of its send `k`, in which only
 * scanners have a message. What is older belongs to an earlier hand-over: the message was sent
 * again since.
 */
const mayBeHuman = sql`(
  k.handed_at is null or e.at < k.handed_at
  or e.at >= k.handed_at + make_interval(secs => ${sql.lit(scanSeconds)}))`;

/**
 * Whether the first event that is still there, or none, is what a person was counted for. An event
 * is written within seconds of the moment that its person is marked with. Older ones may be gone.
 */
const isCounted = (firstAt: Fragment, markedAt: Fragment): Fragment => sql`
  case when ${markedAt} is null or ${firstAt} is null then ${markedAt} is null and ${firstAt} is null
    else ${firstAt} between ${markedAt} - interval '1 minute' and ${markedAt} + interval '1 minute' end`;

/**
 * The CTE `people`: everybody of `acts`, with the events that they were counted for and those that
 * they would have been, and whether that moves their first open and their first click.
 */
const withPeople = (workspace: Fragment, mailing: Fragment): Fragment => sql`
  firsts as (
    select send_id,
      min(id) filter (where was_human) as opened_was, min(id) filter (where is_human) as opened_is,
      min(id) filter (where was_human and kind = 'click') as clicked_was,
      min(id) filter (where is_human and kind = 'click') as clicked_is
    from acts group by send_id
  ), people as materialized (
    select f.*, s.*, t.human_opened_at, t.human_clicked_at, o.at as opened_at, c.at as clicked_at,
      s.knows_open and f.opened_was is distinct from f.opened_is as moves_open,
      s.knows_click and f.clicked_was is distinct from f.clicked_is as moves_click
    from firsts f
    join tracked_sends t on t.workspace_id = ${workspace} and t.mailing_id = ${mailing} and t.send_id = f.send_id
    left join acts o on o.id = f.opened_is
    left join acts c on c.id = f.clicked_is
    left join acts ow on ow.id = f.opened_was
    left join acts cw on cw.id = f.clicked_was
    cross join lateral (
      select ${isCounted(sql`ow.at`, sql`t.human_opened_at`)} as knows_open,
        ${isCounted(sql`cw.at`, sql`t.human_clicked_at`)} as knows_click
    ) s
  )`;

/** What the rules of today say of a program, an act and a way to ask. */
export interface Verdict {
  hash: string;
  kind: 'open' | 'click';
  isUnseen: boolean;
  agent: string;
  device: string | null;
  program: string | null;
  isHuman: boolean;
}

/**
 * Judges the events of a stretch by these verdicts and corrects what was counted from them: when
 * each person first opened and clicked, the hours, the links and what they did it with. Clicks of a
 * burst are those of a scanner, whatever it calls itself. What a person was counted for stays
 * where the event of it is gone. `sends` is as `eventStatement` has it. The people must be locked.
 */
export async function judgeStretch(
  tx: TenantTx,
  stretch: Stretch,
  sends: Fragment,
  verdicts: readonly Verdict[],
): Promise<void> {
  const { workspaceId, mailingId } = stretch;
  const workspace = sql`${workspaceId}::bigint`;
  const mailing = sql`${mailingId}::bigint`;
  await sql`
    with named as materialized (
      select e.id, e.at, e.send_id, e.kind, e.link, e.country, v.hash is not null as is_judged,
        coalesce(v.agent, e.agent) as agent, e.is_human as was_human,
        case when v.hash is null then e.is_human
          else v."isHuman" and ${mayBeHuman}
        end as is_human,
        e.device as was_device, case when v.hash is null then e.device else v.device end as device,
        e.program as was_program, case when v.hash is null then e.program else v.program end as program
      from tracking_events e
      left join jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as v(
          hash bigint, kind text, "isUnseen" boolean, agent text, device text, program text, "isHuman" boolean)
        on v.hash = e.agent_hash and v.kind = e.kind and v."isUnseen" = e.is_head and e.judged_by < ${judgedBy}
      left join (${sends}) k
        on k.workspace_id = ${workspace} and k.mailing_id = e.mailing_id and k.send_id = e.send_id
      where ${ofStretch(stretch)}
    ), ${withBursts}
    ${withPeople(workspace, mailing)}, rejudged as (
      update tracking_events e
      set agent = a.agent, is_human = a.is_human, device = a.device, program = a.program, judged_by = ${judgedBy}
      from acts a
      where a.is_judged and e.workspace_id = ${workspace} and e.mailing_id = ${mailing} and e.send_id = a.send_id
        and e.at = a.at and e.id = a.id
    ), corrected as (
      update tracked_sends t set
        human_opened_at = case when p.moves_open then p.opened_at else t.human_opened_at end,
        human_clicked_at = case when p.moves_click then p.clicked_at else t.human_clicked_at end
      from people p
      where t.workspace_id = ${workspace} and t.mailing_id = ${mailing} and t.send_id = p.send_id
        and (p.moves_open or p.moves_click)
    ), hours as (
      insert into mailing_hours as h (workspace_id, mailing_id, hour, human_opened, human_clicked)
      select ${workspace}, ${mailing}, date_trunc('hour', at, 'UTC'), sum(opened), sum(clicked)
      from (
        select human_opened_at as at, -1 as opened, 0 as clicked from people where moves_open
        union all select opened_at, 1, 0 from people where moves_open
        union all select human_clicked_at, 0, -1 from people where moves_click
        union all select clicked_at, 0, 1 from people where moves_click
      ) c
      where at is not null group by 3 having sum(opened) <> 0 or sum(clicked) <> 0 order by 3
      on conflict (workspace_id, mailing_id, hour) do update set
        human_opened = h.human_opened + excluded.human_opened, human_clicked = h.human_clicked + excluded.human_clicked
    ), facets as (
      insert into mailing_facets as f (workspace_id, mailing_id, facet, value, opened, clicked)
      select ${workspace}, ${mailing}, v.facet, v.value, sum(c.opened), sum(c.clicked)
      from people p
      cross join lateral (values
        (p.opened_was, true, p.knows_open, -1, 0), (p.opened_is, false, p.knows_open, 1, 0),
        (p.clicked_was, true, p.knows_click, 0, -1), (p.clicked_is, false, p.knows_click, 0, 1)
      ) c(id, is_before, is_known, opened, clicked)
      join acts a on a.id = c.id and c.is_known
      cross join lateral (values
        ('device', case when c.is_before then a.was_device else a.device end),
        ('program', case when c.is_before then a.was_program else a.program end),
        ('country', a.country)
      ) v(facet, value)
      where v.value is not null
      group by 3, 4 having sum(c.opened) <> 0 or sum(c.clicked) <> 0 order by 3, 4
      on conflict (workspace_id, mailing_id, facet, value) do update
      set opened = f.opened + excluded.opened, clicked = f.clicked + excluded.clicked
    )
    update mailing_links l set human_clicks = l.human_clicks + c.change
    from (
      select link, sum(is_human::int - was_human::int) as change from acts where kind = 'click' group by link
    ) c
    where l.workspace_id = ${workspace} and l.mailing_id = ${mailing} and l.number = c.link and c.change <> 0`.execute(
    tx,
  );
}

/** Forgets names that no event of the last `months` months has. */
export async function deleteOldAgents(tx: TenantTx, workspaceId: number, months: number): Promise<void> {
  await sql`
    delete from tracking_agents
    where workspace_id = ${workspaceId} and seen_on < current_date - make_interval(months => ${months})`.execute(
    tx,
  );
}
