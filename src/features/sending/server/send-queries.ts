import { sql } from 'kysely';
import { mayBeMailedNow } from '#features/basis/server/index.ts';
import type { Verdict } from '#features/bounces/rules/classify/classify.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed } from '#features/contacts/server/index.ts';
import { hasLeftLists } from '#features/lists/server/index.ts';
import { type TagAnswers, tagsAskedIn } from '#features/templates/rules/tag-fields.ts';
import { tagAnswers } from '#features/templates/server/index.ts';
import { staysAway } from '#features/tracking/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { prepared } from '#platform/server/prepared.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import type { AnswerReason, MailingKind } from '../rules/mailing.ts';
import type { MailingContent } from './mailing-queries.ts';
import { inPart, type PartRow, partLeases } from './part-queries.ts';
import { providerOf } from './slow-domains.ts';
import { sendsNoted } from './telling/stream-events.ts';

/** A message that is due, with what fills it. */
export interface DueSend {
  id: number;
  /** Seconds since the first try that a server did not take; 0 when there was none. */
  triedSeconds: number;
  local: string;
  domain: string;
  /** As the contact's owner writes it. */
  address: string;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  source: string | null;
  date: string | null;
  attributes: Readonly<Record<string, string>>;
  data: Readonly<Record<string, unknown>> | null;
  /** Whether the contact has each tag that the mailing asks for. Null: it asks for none. */
  tags: TagAnswers | null;
}

/** The sends of the part that are due, with what fills their mailing. */
export const selectDue = (tx: TenantTx, part: PartRow, mailing: MailingContent): Promise<DueSend[]> =>
  selectFilling(
    tx,
    { workspaceId: part.workspaceId, mailing },
    sql`${inPart(part)} and state in ('pending', 'deferred') and (due_at is null or due_at <= clock_timestamp())`,
  );

/** One send with what fills it now, whatever became of it. */
export async function selectFillingOf(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId }: { mailingId: number; sendId: number },
  mailing: MailingContent,
): Promise<DueSend | undefined> {
  const [send] = await selectFilling(
    tx,
    { workspaceId, mailing },
    sql`workspace_id = ${workspaceId} and mailing_id = ${mailingId} and id = ${sendId}`,
  );
  return send;
}

async function selectFilling(
  tx: TenantTx,
  {
    workspaceId,
    mailing: { subject, preheader, html, text },
  }: { workspaceId: number; mailing: MailingContent },
  which: Fragment,
): Promise<DueSend[]> {
  const asked = tagsAskedIn([subject, preheader, html, text]);
  const tags =
    asked.length === 0
      ? sql`null::jsonb`
      : tagAnswers(workspaceId, sql`s.contact_id`, sql`g.id = any(${asked}::bigint[])`);
  const { rows } = await sql<DueSend>`
    select s.id, coalesce(extract(epoch from clock_timestamp() - s.tried_since), 0)::float8 as "triedSeconds", s.local, s.domain, coalesce(c.address, s.data ->> 'email', s.local || '@' || s.domain) as address,
      coalesce(c.name, nullif(concat_ws(' ', c.first_name, c.last_name), ''), s.data ->> 'name') as name, c.first_name as "firstName",
      c.last_name as "lastName", c.source, c.date, coalesce(c.attributes, '{}') as attributes, s.data, ${tags} as tags
    from (select * from sends where ${which}) s
    left join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
    order by s.id`.execute(tx);
  return rows;
}

/**
 * Something bounced or was complained of that the suppression list has not been told of yet, at the
 * address of the send `f`, or by its contact `c` at an address they had before, or by one whose
 * reader is mailed by `c` by now.
 */
const isDueBySend: Fragment = sql`exists (
  select from bounces b
  where b.workspace_id = f.workspace_id and b.domain = f.domain and b.local = f.local and b.is_due
    and b.class <> 'soft')`;
const isDueByContact = (workspaceId: number): Fragment => {
  const complainers = sql`
    select b.contact_id from bounces b
    where b.workspace_id = ${workspaceId} and b.is_due and b.class = 'complaint' and b.contact_id is not null`;
  // An array, so that it is asked once for all sends.
  return sql`c.id = any(array(select contacts_by_now(${workspaceId}, array(${complainers}))))`;
};

/**
 * The contact `c` was in the mailing for the sake of a list, and has left it as a reader since.
 * Whoever is on another list of the same set in `needed` still gets it.
 */
const hasLeftItsLists = (workspaceId: number): Fragment => sql`exists (
  select from needed
  where ${hasLeftLists(workspaceId, sql`needed.lists`)} and not exists (
    select from list_members m
    where m.workspace_id = c.workspace_id and m.list_id = any(needed.lists) and m.contact_id = c.id
      and not ${hasLeftLists(workspaceId, sql`array[m.list_id]`)}
  ))`;

/** Where the sends of whoever is erased go. No such domain can be (RFC 6761). */
export const erasedDomain = 'erased.invalid';

/**
 * Why the send `f` must not leave at this moment, for its contact `c`; null when it may. `s` and
 * `b` are what suppresses it, as in `suppressionJoins`.
 */
const refusal = (kind: MailingKind, workspaceId: number): Fragment =>
  kind !== 'campaign'
    ? sql`case
        when (f.contact_id is not null and c.id is null) or f.domain = ${sql.lit(erasedDomain)} then 'removed'
        when s.refuses_all or holds_for_every_message(s.reason) then 'suppressed'
        when ${isDueBySend} then 'suppressed' end`
    : sql`case
        when c.id is null then 'removed'
        when c.domain <> f.domain or c.local <> f.local then 'moved'
        when ${isSuppressed} then 'suppressed'
        when ${isDueByContact(workspaceId)} or ${isDueBySend} then 'suppressed'
        when ${hasLeftItsLists(workspaceId)} then 'left_list'
        when c.state = ${sql.lit(contactStates.invalid)} then 'invalid'
        when c.state = ${sql.lit(contactStates.copy)} then 'duplicate'
        when not ${mayBeMailedNow(workspaceId)} then 'no_basis'
        else ${staysAway} end`;

export interface HandedOver {
  /** The sends that may leave now, by id, with the number of this attempt. */
  handed: Map<number, number>;
  /** False: the mailing was stopped, and nothing leaves. */
  isSending: boolean;
}

/** A send of a part that this run holds. */
export interface SendOfPart {
  partId: number;
  id: number;
}

/**
 * Takes these sends out of what waits: they are handed over from now on, skipped because something
 * has changed since, or wait because their domain has asked for less mail. The caller has locked
 * their parts under their leases in this transaction (`lockParts`), so nobody takes them away
 * meanwhile. One statement, so that it sees everything that was committed before it.
 *
 * The ids stand beside each join again, so that the primary key finds the sends by them: what the
 * planner takes for one row may be a mailing of millions.
 */
export async function handOver(
  tx: TenantTx,
  { workspaceId, mailingId }: Pick<PartRow, 'workspaceId' | 'mailingId'>,
  kind: MailingKind,
  wanted: readonly SendOfPart[],
): Promise<HandedOver> {
  const ids = wanted.map(({ id }) => id);
  const { rows } = await sql<{ open: boolean; handed: [id: number, attempt: number][] }>`${prepared}
    with open as materialized (
      select m.id, sets_of_lists(m.needed_lists, m.lists) as sets from mailings m
      where m.workspace_id = ${workspaceId} and m.id = ${mailingId} and m.status = 'sending'
    ), needed as materialized (
      select array(select jsonb_array_elements_text(one)::bigint) as lists
      from open cross join jsonb_array_elements(open.sets) as one
    ), found as materialized (
      select f.id, f.state as was, i.part, ${refusal(kind, workspaceId)} as reason,
        ${kind === 'campaign' ? sql`z.until` : sql`null::timestamptz`} as slow_until
      from open
      cross join unnest(${ids}::bigint[], ${wanted.map(({ partId }) => partId)}::bigint[]) as i(send, part)
      join sends f on f.workspace_id = ${workspaceId} and f.mailing_id = open.id
        and f.id = any(${ids}::bigint[]) and f.id = i.send and f.state in ('pending', 'deferred')
      left join contacts c on c.workspace_id = f.workspace_id and c.id = f.contact_id
      left join suppressions s on s.workspace_id = f.workspace_id and s.domain = f.domain and s.local = f.local
      left join contact_domains b on b.workspace_id = f.workspace_id and b.domain = f.domain and b.blocked
      left join domain_mail d on d.domain = f.domain
      left join slow_domains z on z.workspace_id = f.workspace_id and z.domain = ${providerOf(sql`f.domain`)}
        and z.until > clock_timestamp()
    ), done as (
      update sends w
      set state = found.next, attempts = w.attempts + (found.next = 'handed')::int,
        due_at = case when found.next = 'deferred' then found.slow_until end,
        reason = case when found.next = 'deferred' then 'slow_domain' else found.reason end,
        handed_at = case when found.next = 'handed' then clock_timestamp() else w.handed_at end,
        ended_at = case when found.next = 'skipped' then clock_timestamp() end
      from (
        select *, case when reason is not null then 'skipped' when slow_until is not null then 'deferred'
          else 'handed' end as next
        from found
      ) found
      where w.workspace_id = ${workspaceId} and w.mailing_id = ${mailingId}
        and w.id = any(${ids}::bigint[]) and w.id = found.id
      returning w.id, w.contact_id, w.state, w.reason, w.attempts, found.was, found.part
    ), noted as (
      ${sendsNoted({ workspaceId, mailingId, kind }, sql`done where state = 'skipped'`)}
    ), told as (
      update send_parts p
      set skipped = p.skipped + figures.skipped, deferred = p.deferred + figures.deferred
      from (
        select part, count(*) filter (where state = 'skipped') as skipped,
          count(*) filter (where state = 'deferred') - count(*) filter (where was = 'deferred') as deferred
        from done group by part
      ) figures
      where p.workspace_id = ${workspaceId} and p.id = figures.part and (figures.skipped > 0 or figures.deferred <> 0)
    )
    select exists (select from open) as open,
      (select coalesce(jsonb_agg(jsonb_build_array(id, attempts)) filter (where state = 'handed'), '[]') from done) as handed`.execute(
    tx,
  );
  const [answer] = rows;
  return { handed: new Map(answer?.handed), isSending: answer?.open ?? false };
}

/** What became of a send that was handed over. */
export interface Answer {
  id: number;
  attempt: number;
  state: 'sent' | 'deferred' | 'failed' | 'uncertain' | 'pending';
  reason: AnswerReason | null;
  reply: string | null;
  /** Seconds until a deferred one is tried again. */
  waitSeconds: number | null;
  /** The server has asked for less mail to its domain. */
  slowsDomain?: boolean;
  /** What the server meant by a final refusal. */
  bounce?: Verdict;
}

/**
 * Writes down the answers of servers. It needs no lease: an answer that comes late, when another
 * run has already called the send uncertain, is still true, and its attempt tells which try it is
 * about. Only such a send is not tried again by itself any more. The caller has locked the parts.
 */
export async function writeAnswers(
  tx: TenantTx,
  { workspaceId, mailingId, kind }: Pick<PartRow, 'workspaceId' | 'mailingId'> & { kind: MailingKind },
  answers: readonly (Answer & { partId: number })[],
): Promise<void> {
  const ids = answers.map(({ id }) => id);
  await sql`${prepared}
    with answers as (
      select * from unnest(${ids}::bigint[], ${answers.map(({ partId }) => partId)}::bigint[],
        ${answers.map(({ attempt }) => attempt)}::int[], ${answers.map(({ state }) => state)}::text[],
        ${answers.map(({ reason }) => reason)}::text[], ${answers.map(({ reply }) => reply)}::text[],
        ${answers.map(({ waitSeconds }) => waitSeconds)}::int[]) as a(send, part, attempt, state, reason, reply, wait)
    ), before as (
      select w.id, w.state as was, a.* from answers a
      join sends w on w.workspace_id = ${workspaceId} and w.mailing_id = ${mailingId}
        and w.id = any(${ids}::bigint[]) and w.id = a.send and w.attempts = a.attempt
        and (w.state = 'handed' or (w.state = 'uncertain' and a.state in ('sent', 'failed')))
      for update of w
    ), done as (
      update sends w
      set state = a.state, reason = a.reason, reply = a.reply,
        due_at = case when a.state = 'deferred' then clock_timestamp() + make_interval(secs => a.wait) end,
        -- A server has refused what waits with its reply. Without one, it never got so far.
        tried_since = case when a.state = 'deferred' or (a.state = 'pending' and a.reply is not null)
          then coalesce(w.tried_since, w.handed_at) else w.tried_since end,
        ended_at = case when a.state in ('deferred', 'pending') then null else clock_timestamp() end
      from before a
      where w.workspace_id = ${workspaceId} and w.mailing_id = ${mailingId}
        and w.id = any(${ids}::bigint[]) and w.id = a.id
      returning w.id, w.contact_id, w.state, w.reason, a.was, a.part
    ), noted as (
      ${sendsNoted({ workspaceId, mailingId, kind }, sql`done where state in ('sent', 'failed', 'uncertain')`)}
    ), late as (
      -- The mailing may have ended without this answer.
      update mailings set books = null, reconciled_at = null
      where workspace_id = ${workspaceId} and id = ${mailingId} and books is not null
        and exists (select from done where was = 'uncertain')
    )
    update send_parts p
    set sent = p.sent + f.sent, failed = p.failed + f.failed, deferred = p.deferred + f.deferred,
      uncertain = p.uncertain + f.uncertain - f.were_uncertain,
      -- A run that gets on is no sign that the part breaks whoever takes it.
      attempts = case when f.sent + f.failed > 0 then least(p.attempts, 1) else p.attempts end
    from (
      select part, count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state = 'deferred') as deferred, count(*) filter (where state = 'uncertain') as uncertain,
        count(*) filter (where was = 'uncertain') as were_uncertain
      from done group by part
    ) f
    where p.workspace_id = ${workspaceId} and p.id = f.part`.execute(tx);
}

/** Skips what no server can be given, such as an address with two at signs. */
export async function skipUnwritable(
  tx: TenantTx,
  run: WorkRun,
  part: PartRow,
  kind: MailingKind,
  ids: readonly number[],
): Promise<void> {
  await sql`
    with before as (
      select id, state as was from sends
      where workspace_id = ${part.workspaceId} and mailing_id = ${part.mailingId} and id = any(${[...ids]}::bigint[])
        and state in ('pending', 'deferred')
      for update
    ), done as (
      update sends w set state = 'skipped', reason = 'unwritable', due_at = null, ended_at = clock_timestamp()
      from before
      where w.workspace_id = ${part.workspaceId} and w.mailing_id = ${part.mailingId} and w.id = before.id
      returning before.was, w.id, w.contact_id, w.state, w.reason
    ), noted as (
      ${sendsNoted({ ...part, kind }, sql`done`)}
    )
    update send_parts
    set skipped = skipped + (select count(*) from done),
      deferred = deferred - (select count(*) from done where was = 'deferred')
    where ${partLeases.heldBy(run)}`.execute(tx);
}
