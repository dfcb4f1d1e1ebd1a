import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';

/** What decides which variant the rest gets. */
export type DecideBy = 'clicks' | 'opens' | 'hand';

/** What one variant of a mailing says. */
export interface NewVariant {
  subject: string;
  preheader: string;
  fromName: string;
  fromAddress: string;
  /** Null: those of the mailing. */
  html: string | null;
  text: string | null;
  /** Leaves so many hours after the start. */
  delayHours: number;
}

export interface NewTest {
  /** Percent of the people. */
  share: number;
  decideBy: DecideBy;
  /** Hours from the start to the decision. */
  hours: number;
  /** The first is the mailing itself. */
  variants: readonly NewVariant[];
}

export async function insertTest(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { share, decideBy, hours, variants }: NewTest,
): Promise<void> {
  await sql`
    insert into mailing_tests (workspace_id, mailing_id, share, decide_by, hours)
    values (${workspaceId}, ${mailingId}, ${share}, ${decideBy}, ${hours})`.execute(tx);
  const rows = variants.map((variant, place) => ({ ...variant, number: place + 1 }));
  await sql`
    insert into mailing_variants (workspace_id, mailing_id, number, subject, preheader, from_name, from_address, html,
      text, delay_hours)
    select ${workspaceId}, ${mailingId}, number, subject, preheader, "fromName", "fromAddress", html, text, "delayHours"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(number int, subject text, preheader text,
      "fromName" text, "fromAddress" text, html text, text text, "delayHours" int)`.execute(tx);
}

export interface TestRow {
  mailingId: number;
  share: number;
  decideBy: DecideBy;
  hours: number;
  dueAt: Date | null;
  winner: number | null;
  decidedAt: Date | null;
  decidedBy: string | null;
}

/** The test of a mailing. With `lock`, nobody else decides it until the transaction ends. */
export async function selectTest(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<TestRow | undefined> {
  const { rows } = await sql<TestRow>`
    select mailing_id as "mailingId", share, decide_by as "decideBy", hours, due_at as "dueAt", winner,
      decided_at as "decidedAt", decided_by as "decidedBy"
    from mailing_tests where workspace_id = ${workspaceId} and mailing_id = ${mailingId}
    ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

export interface VariantRow {
  number: number;
  subject: string;
  preheader: string;
  fromName: string;
  fromAddress: string;
  hasOwnContent: boolean;
  delayHours: number;
  /** People in its group, and of them those whom a server took it for. */
  people: number;
  sent: number;
  /** Human. */
  opened: number;
  clicked: number;
  /** No answer yet, and no wait for another try. */
  underWay: number;
}

/** What people did who got a variant. */
export type VariantActs = Pick<VariantRow, 'number' | 'opened' | 'clicked'>;

/** What people did by variant. It reads all who have opened the mailing. */
export async function countActs(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<VariantActs[]> {
  const { rows } = await sql<VariantActs>`
    select s.test_group as number, count(t.human_opened_at)::int as opened, count(t.human_clicked_at)::int as clicked
    from tracked_sends t
    join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = t.send_id
    where t.workspace_id = ${workspaceId} and t.mailing_id = ${mailingId} and s.test_group > 0
      and t.human_opened_at is not null
    group by s.test_group`.execute(tx);
  return rows;
}

/** The variants of a mailing with where the messages of their groups stand. The rest is in none. */
export async function selectVariants(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<Omit<VariantRow, 'opened' | 'clicked'>[]> {
  const { rows } = await sql<Omit<VariantRow, 'opened' | 'clicked'>>`
    with parts as materialized (
      select test_group, sum(total)::int as people, sum(sent)::int as sent,
        sum(total - sent - failed - skipped - uncertain - deferred)::int as under_way
      from send_parts where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and test_group > 0
      group by test_group
    )
    select v.number, v.subject, v.preheader, v.from_name as "fromName", v.from_address as "fromAddress",
      v.html is not null as "hasOwnContent", v.delay_hours as "delayHours", coalesce(p.people, 0) as people,
      coalesce(p.sent, 0) as sent, coalesce(p.under_way, 0) as "underWay"
    from mailing_variants v
    left join parts p on p.test_group = v.number
    where v.workspace_id = ${workspaceId} and v.mailing_id = ${mailingId}
    order by v.number`.execute(tx);
  return rows;
}

/**
 * Whether somebody of the test waits without a first try, as the pace of their receiver or a
 * provider that asks for less mail lets them.
 */
export async function hasUntried(tx: TenantTx, workspaceId: number, mailingId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from sends
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and exception = 'deferred'
        and test_group > 0 and attempts = 0
    ) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/** Which variant a send got, or is to get. Null: it is in no test, or that is not decided yet. */
export async function selectVariantOf(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId }: { mailingId: number; sendId: number },
): Promise<number | null> {
  const { rows } = await sql<{ variant: number | null }>`
    select case when s.test_group > 0 then s.test_group else t.winner end as variant
    from sends s join mailing_tests t on t.workspace_id = s.workspace_id and t.mailing_id = s.mailing_id
    where s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = ${sendId}`.execute(tx);
  return rows[0]?.variant ?? null;
}

/** Begins to count the hours of the test, once its people are written down. */
export async function beginTest(tx: TenantTx, workspaceId: number, mailingId: number): Promise<void> {
  await sql`
    update mailing_tests set due_at = clock_timestamp() + make_interval(hours => hours + (
      select max(delay_hours)::int from mailing_variants
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId}
    ))
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
}

/**
 * Writes down which variant has won, and lets the rest leave with it: at the same time of day in
 * London, if the variants left at different ones, and over the hours of the mailing, if it has any.
 */
export async function decide(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { winner, by }: { winner: number; by: string | null },
): Promise<void> {
  await sql`
    update mailing_tests set winner = ${winner}, decided_at = clock_timestamp(), decided_by = ${by}
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
  await sql`
    with begun as (
      select m.spread_hours,
        case when (
          select count(distinct delay_hours) > 1 from mailing_variants o
          where o.workspace_id = m.workspace_id and o.mailing_id = m.id
        ) then (left_at + interval '1 day' * greatest(0, ceil(
          extract(epoch from clock_timestamp() at time zone 'Europe/London' - left_at) / 86400
        ))) at time zone 'Europe/London' else clock_timestamp() end as at
      from mailings m
      join mailing_variants v on v.workspace_id = m.workspace_id and v.mailing_id = m.id and v.number = ${winner}
      cross join lateral (
        select (m.started_at + make_interval(hours => v.delay_hours)) at time zone 'Europe/London' as left_at
      ) clock
      where m.workspace_id = ${workspaceId} and m.id = ${mailingId}
    ), placed as (
      select id, (row_number() over (order by id) - 1)::float8 / count(*) over () as place from send_parts
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and test_group = 0 and variant is null
    )
    update send_parts p
    set variant = ${winner},
      not_before = begun.at + make_interval(hours => coalesce(begun.spread_hours, 0)) * placed.place
    from begun, placed
    where p.workspace_id = ${workspaceId} and p.id = placed.id`.execute(tx);
}

/** Mailings of a workspace whose test is to be decided now by what people did. */
export async function selectDueTests(tx: TenantTx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select mailing_id as id from mailing_tests t
    join mailings m on m.workspace_id = t.workspace_id and m.id = t.mailing_id
    where t.workspace_id = ${workspaceId} and t.winner is null and t.due_at <= clock_timestamp()
      and t.decide_by <> 'hand' and m.status in ('sending', 'paused', 'completed')
    order by mailing_id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Where there are such mailings. */
export async function selectWorkspacesWithDueTests(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select workspaces_with_due_tests() as id`.execute(db);
  return rows.map(({ id }) => id);
}
