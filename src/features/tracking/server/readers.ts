import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** What readers can do with a message. */
export type ReaderAct = 'opened' | 'clicked' | 'left';

/** Whose opens and clicks count: those of people, or of machines too. */
export type Counted = 'people' | 'all';

/** In the form in which the indexes of the table know them. */
const tests: Record<ReaderAct, Record<Counted, Fragment>> = {
  opened: { people: sql`t.human_opened_at is not null`, all: sql`t.opened_at is not null` },
  clicked: {
    people: sql`t.clicked_at is not null and t.human_clicked_at is not null`,
    all: sql`t.clicked_at is not null`,
  },
  left: { people: sql`t.left_at is not null`, all: sql`t.left_at is not null` },
};

/** SQL that yields the `send_id` of each message whose reader did something with it. */
export const readersWho = (
  workspaceId: number,
  mailingId: number,
  act: ReaderAct,
  counted: Counted,
): Fragment => sql`
  select t.send_id from tracked_sends t
  where t.workspace_id = ${workspaceId} and t.mailing_id = ${mailingId} and ${tests[act][counted]}`;

/**
 * When a mailing's first event can have been, so that the months before it are left alone. An hour
 * has its figures as long as the mailing is there.
 */
const firstEvent = (workspaceId: number, mailingId: number): Fragment => sql`(
  select min(h.hour) from mailing_hours h where h.workspace_id = ${workspaceId} and h.mailing_id = ${mailingId})`;

/** SQL that yields the `send_id` of each message whose reader followed a link with an address. */
export const readersWhoFollowed = (
  workspaceId: number,
  mailingId: number,
  url: string,
  counted: Counted,
): Fragment => sql`
  select distinct e.send_id from tracking_events e
  where e.workspace_id = ${workspaceId} and e.mailing_id = ${mailingId} and e.kind = 'click'
    and e.at >= ${firstEvent(workspaceId, mailingId)}
    and e.link = any(array(
      select l.number from mailing_links l
      where l.workspace_id = ${workspaceId} and l.mailing_id = ${mailingId} and l.url = ${url}
    )) ${counted === 'people' ? sql`and e.is_human` : sql``}`;

/** When the reader of a message first did each thing. */
export interface ReaderActs {
  sendId: number;
  openedAt: Date | null;
  clickedAt: Date | null;
  leftAt: Date | null;
}

/** What readers of these messages did. Those who did nothing are absent. */
export async function selectActs(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  sendIds: readonly number[],
  counted: Counted,
): Promise<ReaderActs[]> {
  const of = sql.raw(counted === 'people' ? 'human_' : '');
  const { rows } = await sql<ReaderActs>`
    select send_id as "sendId", ${of}opened_at as "openedAt", ${of}clicked_at as "clickedAt", left_at as "leftAt"
    from tracked_sends
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = any(${[...sendIds]}::bigint[])
      and (${of}opened_at is not null or ${of}clicked_at is not null or left_at is not null)`.execute(tx);
  return rows;
}

/** How many people followed each address of a mailing, and how many machines and people did. */
export async function selectPeopleByLink(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<{ url: string; people: number; withMachines: number }[]> {
  const { rows } = await sql<{ url: string; people: number; withMachines: number }>`
    select l.url, count(distinct e.send_id) filter (where e.is_human) as people, count(distinct e.send_id) as "withMachines"
    from tracking_events e
    join mailing_links l on l.workspace_id = e.workspace_id and l.mailing_id = e.mailing_id and l.number = e.link
    where e.workspace_id = ${workspaceId} and e.mailing_id = ${mailingId} and e.kind = 'click'
      and e.at >= ${firstEvent(workspaceId, mailingId)}
    group by l.url order by 2 desc, 1`.execute(tx);
  return rows;
}
