import { sql } from 'kysely';
import { eventsNoted } from '#features/events/server/index.ts';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import type { BounceKind, Fault } from '../rules/kinds.ts';

/** Something that was told of a message. */
export interface NewBounce {
  mailingId: number;
  sendId: number;
  event: 'bounce' | 'complaint';
  class: 'hard' | 'soft' | 'complaint';
  kind: BounceKind | 'complaint';
  fault: Fault;
  source: string;
  said: string;
  /** One of the five in a row that suppress an address. */
  counts: boolean;
  contactId: number | null;
  local: string;
  domain: string;
}

/**
 * Writes bounces down, each message's once, and counts them. What is told again changes nothing,
 * except that a hard bounce takes the place of a soft one. Returns how many were news.
 */
export async function insertBounces(
  tx: TenantTx,
  workspaceId: number,
  news: readonly NewBounce[],
): Promise<number> {
  const { rows } = await sql<{ news: number }>`
    with kept as (
      insert into bounces as b (workspace_id, mailing_id, send_id, contact_id, local, domain, event, class, kind, fault,
        source, said, counts, is_due)
      select ${workspaceId}, n."mailingId", n."sendId", n."contactId", n.local, n.domain, n.event, n.class, n.kind, n.fault,
        n.source, n.said, n.counts, n.class <> 'soft' or n.counts
      from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as n("mailingId" bigint, "sendId" bigint, "contactId" bigint,
        local text, domain text, event text, class text, kind text, fault text, source text, said text, counts boolean)
      order by n."mailingId", n."sendId", n.event
      on conflict (workspace_id, mailing_id, send_id, event) do update
      set class = excluded.class, kind = excluded.kind, fault = excluded.fault, source = excluded.source,
        said = excluded.said, counts = excluded.counts, is_due = true, at = excluded.at
      where b.class = 'soft' and excluded.class = 'hard'
      returning b.mailing_id, b.contact_id, b.class, b.kind, b.source, b.xmax <> 0 as was_soft
    ), noted as (${eventsNoted(
      sql`${workspaceId}::bigint`,
      sql`select case class when 'complaint' then 'email.complained' else 'email.bounced' end as type,
            mailing_id as subject_id,
            case when class <> 'complaint' then jsonb_build_object('class', class, 'kind', kind) end as data,
            array_agg(contact_id) filter (where contact_id is not null) as contact_ids
          from kept group by class, kind, mailing_id`,
    )}), counted as (
      insert into mailing_bounces as f (workspace_id, mailing_id, hard, soft, complained, returned)
      select ${workspaceId}, mailing_id, count(*) filter (where class = 'hard'),
        count(*) filter (where class = 'soft') - count(*) filter (where was_soft),
        count(*) filter (where class = 'complaint'),
        count(*) filter (where class <> 'complaint' and source <> 'reply' and not was_soft)
      from kept group by mailing_id order by mailing_id
      on conflict (workspace_id, mailing_id) do update
      set hard = f.hard + excluded.hard, soft = f.soft + excluded.soft, complained = f.complained + excluded.complained,
        returned = f.returned + excluded.returned
    )
    select count(*)::int as news from kept`.execute(tx);
  return rows[0]?.news ?? 0;
}

/** The order in which everybody locks bounces. Then come the figures of their mailings, by id. */
export const lockOrder = sql`mailing_id, send_id, event`;

export interface DueBounce {
  id: number;
  mailingId: number;
  contactId: number | null;
  local: string;
  domain: string;
  class: 'hard' | 'soft' | 'complaint';
  said: string;
}

/** The workspaces with bounces that the suppression list has not been told of. */
export async function selectWorkspacesWithDue(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select w.id from workspaces_with_due_bounces() w (id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Bounces that the suppression list has not been told of. */
export async function selectDueIds(
  tx: TenantTx,
  workspaceId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from bounces
    where workspace_id = ${workspaceId} and is_due and id > ${after} order by id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Those of these bounces that are still due, the first first. Others that tell the suppression list
 * wait.
 */
export async function selectDue(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<DueBounce[]> {
  const { rows } = await sql<DueBounce>`
    select id, mailing_id as "mailingId", contact_id as "contactId", local, domain, class, said from bounces
    where workspace_id = ${workspaceId} and is_due and id = any(${[...ids]}::bigint[])
    order by ${lockOrder} for update`.execute(tx);
  return rows.sort((one, other) => one.id - other.id);
}

export async function endDue(
  tx: TenantTx,
  workspaceId: number,
  { told, suppressed }: { told: readonly number[]; suppressed: readonly number[] },
): Promise<void> {
  await sql`
    update bounces set is_due = false, has_suppressed = id = any(${[...suppressed]}::bigint[])
    where workspace_id = ${workspaceId} and id = any(${[...told]}::bigint[])`.execute(tx);
}

/** Soft bounces of an address, one after the other. */
export interface SoftRow {
  mailingIds: number[];
  since: Date;
}

/**
 * This many soft bounces of the address, up to this one. None when there are fewer since it was
 * last suppressed for any.
 */
export async function selectSoftRow(
  tx: TenantTx,
  workspaceId: number,
  { id, local, domain }: Pick<DueBounce, 'id' | 'local' | 'domain'>,
  many: number,
): Promise<SoftRow | undefined> {
  const { rows } = await sql<SoftRow>`
    select jsonb_agg(mailing_id) as "mailingIds", min(at) as since from (
      select mailing_id, at from bounces b
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local} and id <= ${id}
        and class = 'soft' and counts and id > coalesce((
          select max(s.id) from bounces s
          where s.workspace_id = ${workspaceId} and s.domain = ${domain} and s.local = ${local} and s.has_suppressed), 0)
      order by id desc limit ${many}
    ) last
    having count(*) = ${many}`.execute(tx);
  return rows[0];
}

/** How many messages of a mailing came back, and how many readers complained. */
export interface BounceFigures {
  mailingId: number;
  hard: number;
  soft: number;
  complained: number;
  /** How many of them a server had taken. */
  returned: number;
}

export async function selectBounceFigures(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<BounceFigures[]> {
  const { rows } = await sql<BounceFigures>`
    select mailing_id as "mailingId", hard, soft, complained, returned from mailing_bounces
    where workspace_id = ${workspaceId} and mailing_id = any(${[...mailingIds]}::bigint[])`.execute(tx);
  return rows;
}

/** The figures of a mailing that are to be judged. Others that judge it wait. */
export async function selectToJudge(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<{ hard: number; complained: number; pausedAt: number } | undefined> {
  const { rows } = await sql<{ hard: number; complained: number; pausedAt: number }>`
    select hard, complained, paused_at as "pausedAt" from mailing_bounces
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} for update`.execute(tx);
  return rows[0];
}

export async function notePaused(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  handled: number,
): Promise<void> {
  await sql`
    update mailing_bounces set paused_at = ${handled}
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
}

/** Deletes bounces of so many months ago. Their figures stay, and the entries that they made. */
export async function forgetBounces(tx: TenantTx, workspaceId: number, months: number): Promise<void> {
  await sql`
    delete from bounces
    where workspace_id = ${workspaceId} and not is_due and at < now() - make_interval(months => ${months}::int)`.execute(
    tx,
  );
}
