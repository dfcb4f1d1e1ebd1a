import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { SendState } from '../rules/mailing.ts';
import { lockParts } from './part-queries.ts';

/** A recipient as the ledger has it. */
export interface RecipientRow {
  id: number;
  contactId: number | null;
  address: string;
  state: SendState;
  reason: string | null;
  reply: string | null;
  attempts: number;
  dueAt: Date | null;
  handedAt: Date | null;
  endedAt: Date | null;
}

export interface RecipientFilter {
  /** What people call pending includes those that are with a server this very moment. */
  state: SendState | null;
  /** The beginning of an address, or `@` and the beginning of a domain. */
  search: string | null;
  /** SQL that yields the `send_id` of those that may match. Others do not. */
  among?: Fragment;
  /** SQL that yields the `send_id` of those that do not match. */
  without?: Fragment;
}

/** States that an index finds. A message that is handed over once more is found by it too. */
const exceptions: readonly SendState[] = ['deferred', 'failed', 'skipped', 'uncertain', 'left_out'];

/**
 * The condition on the sends `s`. A whole address is looked up among the contacts, since their
 * index knows it; one that no contact of it has any more is looked for in the mailing.
 */
async function matching(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { state, search, without }: RecipientFilter,
): Promise<Fragment> {
  const tests: Fragment[] = [sql`s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId}`];
  if (state === 'pending') tests.push(sql`s.state in ('pending', 'handed')`);
  else if (state !== null && exceptions.includes(state))
    tests.push(sql`s.exception = ${state} and s.exception is not null`);
  else if (state !== null) tests.push(sql`s.state = ${state}`);
  if (without) tests.push(sql`not exists (select from (${without}) w where w.send_id = s.id)`);
  if (search !== null) {
    const at = search.indexOf('@');
    const local = (at === -1 ? search : search.slice(0, at)).toLowerCase();
    const domain = at === -1 ? '' : search.slice(at + 1).toLowerCase();
    const { rows } = await sql<{ id: number }>`
      select s.id from contacts c
      join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = c.id
        and s.domain = c.domain and s.local = c.local
      where c.workspace_id = ${workspaceId} and c.domain = ${domain} and c.local = ${local}`.execute(tx);
    if (rows.length > 0)
      return sql.join([...tests, sql`s.id = any(${rows.map(({ id }) => id)}::bigint[])`], sql` and `);
    if (local !== '') tests.push(at === -1 ? sql`starts_with(s.local, ${local})` : sql`s.local = ${local}`);
    if (domain !== '') tests.push(sql`s.domain >= ${domain} and starts_with(s.domain, ${domain})`);
  }
  return sql.join(tests, sql` and `);
}

/** The sends `s` of a mailing, all or those among some. */
const from = (workspaceId: number, mailingId: number, { among }: RecipientFilter): Fragment =>
  among
    ? sql`(${among}) d join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.id = d.send_id`
    : sql`sends s`;

/** Recipients of a mailing by id, those after a place. */
export async function selectRecipients(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  filter: RecipientFilter,
  page: { after: number | null; offset: number; limit: number },
): Promise<RecipientRow[]> {
  const found = await matching(tx, workspaceId, mailingId, filter);
  // Said of both sides, so that each is read from there.
  const after =
    page.after === null
      ? sql``
      : sql`and s.id > ${page.after} ${filter.among ? sql`and d.send_id > ${page.after}` : sql``}`;
  const { rows } = await sql<RecipientRow>`
    select s.id, s.contact_id as "contactId", coalesce(c.address, s.local || '@' || s.domain) as address, s.state, s.reason,
      s.reply, s.attempts, s.due_at as "dueAt", s.handed_at as "handedAt", s.ended_at as "endedAt"
    from ${from(workspaceId, mailingId, filter)}
    left join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
      and c.domain = s.domain and c.local = s.local
    where ${found} ${after}
    order by s.id offset ${page.offset} limit ${page.limit}`.execute(tx);
  return rows;
}

/** No more are counted, because that reads through the mailing. */
const mostCounted = 5_000;

/**
 * How many recipients match, up to 5,000. It is for what has to be looked for. How many there are
 * in a state, the books know.
 */
export async function countRecipients(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  filter: RecipientFilter,
  most = mostCounted,
): Promise<number> {
  const found = await matching(tx, workspaceId, mailingId, filter);
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select 1 from ${from(workspaceId, mailingId, filter)} where ${found} limit ${most}
    ) found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/**
 * How many uncertain messages of each of these mailings came back. Mailings without any are left
 * out. Each is looked up by itself: a planner that knows nothing of a new mailing yet would read
 * all of them for each bounce.
 */
export async function selectUncertainBack(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<{ mailingId: number; messages: number }[]> {
  const { rows } = await sql<{ mailingId: number; messages: number }>`
    select s.mailing_id as "mailingId", count(*) as messages
    from sends s
    cross join lateral (
      select from bounces b
      where b.workspace_id = ${workspaceId} and b.mailing_id = s.mailing_id and b.send_id = s.id and b.event = 'bounce'
      offset 0
    ) b
    where s.workspace_id = ${workspaceId} and s.mailing_id = any(${[...mailingIds]}::bigint[])
      and s.exception = 'uncertain' and s.exception is not null
    group by s.mailing_id`.execute(tx);
  return rows;
}

/**
 * How many of a mailing there are for each reason, of those that were not sent. Those who are left
 * out are the most, as a rule. The mailing has their sums.
 */
export async function selectReasons(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<{ state: SendState; reason: string | null; people: number }[]> {
  const counted = ['handed', ...exceptions].filter((state) => state !== 'left_out');
  const { rows } = await sql<{ state: SendState; reason: string | null; people: number }>`
    select exception as state, reason, count(*) as people from sends
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and exception = any(${counted}::text[])
    group by exception, reason
    union all
    select 'left_out', l.reason, l.people::bigint
    from mailings m cross join jsonb_each_text(m.left_out) l (reason, people)
    where m.workspace_id = ${workspaceId} and m.id = ${mailingId}
    order by people desc, state, reason`.execute(tx);
  return rows;
}

/** The part `p` holds the send `s`. */
const holds = sql`p.mailing_id = s.mailing_id and s.id between p.first_send and p.last_send
  and p.test_group is not distinct from s.test_group`;

/** The parts of these sends `s` of a workspace. */
async function selectPartsWith(tx: TenantTx, workspaceId: number, wanted: Fragment): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct p.id from sends s join send_parts p on p.workspace_id = ${workspaceId} and ${holds}
    where ${wanted}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Lets uncertain messages be sent again, because somebody has decided so: one of them, or all.
 * Returns how many there are. None are where the mailing is over for another reason than being
 * done; roll back then. Parts are locked before their mailing, as runs do at their end.
 */
export async function releaseUncertain(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  id: number | 'all',
): Promise<number> {
  const wanted = sql`s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId} and s.exception = 'uncertain'
    ${id === 'all' ? sql`` : sql`and s.id = ${id}`}`;
  const parts = await selectPartsWith(tx, workspaceId, wanted);
  if (parts.length === 0) return 0;
  await lockParts(tx, workspaceId, parts);
  const { rows } = await sql<{ released: number }>`
    with open as (
      update mailings set status = case status when 'completed' then 'sending' else status end, ended_at = null,
        reconciled_at = null, books = null
      where workspace_id = ${workspaceId} and id = ${mailingId} and status in ('sending', 'paused', 'completed')
      returning id
    ), done as (
      update sends s set state = 'deferred', due_at = clock_timestamp(), ended_at = null
      from open
      where ${wanted} and s.mailing_id = open.id and exists (
        -- Others have become uncertain since the parts were locked.
        select from send_parts p
        where p.workspace_id = ${workspaceId} and p.id = any(${parts}::bigint[]) and ${holds}
      )
      returning s.id, s.test_group
    ), parts as (
      select p.id, count(*) as released
      from done
      join send_parts p on p.workspace_id = ${workspaceId} and p.id = any(${parts}::bigint[])
        and done.id between p.first_send and p.last_send and p.test_group is not distinct from done.test_group
      group by p.id
    ), told as (
      update send_parts p
      set uncertain = p.uncertain - parts.released, deferred = p.deferred + parts.released, status = 'open',
        -- A run that holds the part keeps it, and its end finds what is due.
        lease_until = case when p.lease is not null then p.lease_until end
      from parts where p.workspace_id = ${workspaceId} and p.id = parts.id
    )
    select coalesce(sum(released), 0)::bigint as released from parts`.execute(tx);
  return rows[0]?.released ?? 0;
}
