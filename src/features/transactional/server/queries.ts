import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { MessageState } from '../contract.ts';

/** Why each of these addresses gets no message, in their order. Null: it gets one. */
export async function selectRefusals(
  tx: TenantTx,
  workspaceId: number,
  people: readonly { local: string; domain: string }[],
): Promise<(string | null)[]> {
  const { rows } = await sql<{ reason: string | null }>`
    select coalesce(
      (select case when holds_for_every_message(s.reason) then s.reason when s.refuses_all then 'bounced' end
        from suppressions s
        where s.workspace_id = ${workspaceId} and s.domain = p.domain and s.local = p.local),
      (select case when holds_for_every_message(h.reason) then h.reason else 'bounced' end
        from hashed_suppressions(p.local, p.domain) h
        where h.refuses_all or holds_for_every_message(h.reason) limit 1)
    ) as reason
    from unnest(${people.map(({ local }) => local)}::text[], ${people.map(({ domain }) => domain)}::text[])
      with ordinality p(local, domain, place)
    order by p.place`.execute(tx);
  return rows.map(({ reason }) => reason);
}

/** Writes messages into the log and answers their numbers, in their order. */
export async function insertMessages(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  messages: readonly { address: string; subject: string }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into transactional_messages (workspace_id, mailing_id, send_id, address, subject)
    select ${workspaceId}::bigint, ${mailingId}::bigint, place, address, subject
    from unnest(${messages.map(({ address }) => address)}::text[], ${messages.map(({ subject }) => subject)}::text[])
      with ordinality m(address, subject, place)
    order by place
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface MessageRow {
  id: number;
  batch: number;
  sendId: number;
  to: string;
  subject: string;
  state: string;
  reason: string | null;
  /** Why nothing of its call leaves just now. */
  notice: string | null;
  reply: string | null;
  attempts: number;
  createdAt: Date;
  endedAt: Date | null;
}

const columns = sql`
  t.id, t.mailing_id as batch, t.send_id as "sendId", t.address as "to", t.subject, coalesce(s.state, 'sent') as state,
  s.reason, m.notice, s.reply, coalesce(s.attempts, 0) as attempts, t.created_at as "createdAt", s.ended_at as "endedAt"`;
const withLedger = sql`transactional_messages t
  left join sends s on s.workspace_id = t.workspace_id and s.mailing_id = t.mailing_id and s.id = t.send_id
  left join mailings m on m.workspace_id = t.workspace_id and m.id = t.mailing_id`;

export interface MessageFilter {
  search: string | null;
  state: MessageState | null;
  batch: number | null;
}

/** The states in the ledger that one in the log means. */
const ledgerStates = (state: MessageState | null): string[] | null =>
  state === null ? null : state === 'pending' ? ['pending', 'handed'] : [state];

/** Looked up for one message after the other: a join would read the whole ledger first. */
const stateOf = sql`(
  select l.state from sends l
  where l.workspace_id = t.workspace_id and l.mailing_id = t.mailing_id and l.id = t.send_id)`;

/** A place in the log: before which message of which call. */
interface Place {
  mailingId: number;
  sendId: number;
}

/**
 * Whether the ledger leads to the messages: those in these states may be few among millions. With a
 * search or a call, the messages themselves are few.
 */
const isByLedger = ({ search, state, batch }: MessageFilter): boolean =>
  search === null && batch === null && state !== null && state !== 'sent';

/** SQL: (mailing_id, id) of the sends in a state, newest first. */
function sendsIn(workspaceId: number, state: MessageState, before: Place | null) {
  if (state !== 'pending')
    return sql`
      select l.mailing_id, l.id from sends l
      where l.workspace_id = ${workspaceId} and l.contact_id is null and l.exception = ${state}
        ${before ? sql`and (l.mailing_id, l.id) < (${before.mailingId}::bigint, ${before.sendId}::bigint)` : sql``}
      order by l.mailing_id desc, l.id desc`;
  // What waits is in an open part of a call that is not over. The figures of the part say whether
  // there is any, so those where all wait for another try are passed by.
  return sql`
    select m.id as mailing_id, l.id
    from mailings m
      join send_parts p on p.workspace_id = m.workspace_id and p.mailing_id = m.id and p.status <> 'done'
        and p.total > p.sent + p.failed + p.skipped + p.uncertain + p.deferred
      cross join lateral (
        select s.id from sends s
        where s.workspace_id = m.workspace_id and s.mailing_id = m.id and s.id between p.first_send and p.last_send
          and s.state in ('pending', 'handed')
        offset 0
      ) l
    where m.workspace_id = ${workspaceId} and m.kind = 'transactional' and m.status = 'sending' and m.ended_at is null
      ${before ? sql`and m.id <= ${before.mailingId} and (m.id, l.id) < (${before.mailingId}::bigint, ${before.sendId}::bigint)` : sql``}
    order by m.id desc, l.id desc`;
}

/** SQL: the messages that a filter asks for, those before a place, at least so many of them. */
function fits(
  workspaceId: number,
  filter: MessageFilter,
  { after, before, limit }: { after: number | null; before: Place | null; limit: number },
) {
  const { search, state, batch } = filter;
  const states = ledgerStates(state);
  if (search !== null)
    return sql`t.workspace_id = ${workspaceId} and t.id in (select transactional_messages_to(
      lower(${search}::text), ${batch}::bigint, ${states}::text[], ${after}::bigint, ${limit}::int))`;
  if (isByLedger(filter) && state !== null)
    // Looked up for one send after the other: a join would read the whole log first.
    return sql`t.workspace_id = ${workspaceId} and t.id in (
      select o.id from (${sendsIn(workspaceId, state, before)}) l
        cross join lateral (
          select n.id from transactional_messages n
          where n.workspace_id = ${workspaceId} and n.mailing_id = l.mailing_id and n.send_id = l.id limit 1
        ) o
      limit ${limit})`;
  return sql`
    t.workspace_id = ${workspaceId}
    ${after === null ? sql`` : sql`and t.id < ${after}`}
    ${batch === null ? sql`` : sql`and t.mailing_id = ${batch}`}
    ${states === null ? sql`` : sql`and ${stateOf} = any(${states}::text[])`}`;
}

/** The place of a message. If it was erased, the one right after the next older message. */
async function selectPlace(tx: TenantTx, workspaceId: number, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select mailing_id as "mailingId", case when id = ${id} then send_id else send_id + 1 end as "sendId"
    from transactional_messages where workspace_id = ${workspaceId} and id <= ${id}
    order by id desc limit 1`.execute(tx);
  return rows[0];
}

/** Messages, newest first, those before a place. */
export async function selectMessages(
  tx: TenantTx,
  workspaceId: number,
  filter: MessageFilter,
  { after, limit }: { after: number | null; limit: number },
): Promise<MessageRow[]> {
  let before: Place | null = null;
  if (after !== null && isByLedger(filter)) {
    const place = await selectPlace(tx, workspaceId, after);
    if (!place) return [];
    before = place;
  }
  const order = isByLedger(filter) ? sql`t.mailing_id desc, t.send_id desc` : sql`t.id desc`;
  const { rows } = await sql<MessageRow>`
    select ${columns} from ${withLedger}
    where ${fits(workspaceId, filter, { after, before, limit })}
    order by ${order} limit ${limit}`.execute(tx);
  return rows;
}

/** How many there are, up to `most`. */
export async function countMessages(
  tx: TenantTx,
  workspaceId: number,
  filter: MessageFilter,
  most: number,
): Promise<number> {
  const place = { after: null, before: null, limit: most };
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from ${withLedger} where ${fits(workspaceId, filter, place)} limit ${most}
    ) m`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function selectMessage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select ${columns} from ${withLedger} where t.workspace_id = ${workspaceId} and t.id = ${id}`.execute(tx);
  return rows[0];
}

/** Deletes what is older than this many days. */
export async function forgetMessages(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from transactional_messages
    where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
