import { sql } from 'kysely';
import type { MailingSubject } from '#features/events/server/index.ts';
import { eventsNoted } from '#features/events/server/index.ts';
import { waitInWords } from '#features/pace/rules/words.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Books, MailingKind, MailingStatus } from '../rules/mailing.ts';

/** What all messages of a mailing have in common. */
export interface MailingContent {
  name: string;
  fromName: string;
  fromAddress: string;
  replyTo: string | null;
  subject: string;
  preheader: string;
  html: string;
  text: string;
  mergeData: Readonly<Record<string, string>>;
  tracksOpens: boolean;
  tracksClicks: boolean;
  /** Leaves out whoever was mailed in so many days. */
  restDays?: number | null;
  /** Over how many hours it leaves. Null: as fast as it can. */
  spreadHours?: number | null;
  /** What the clocks of each recipient are to show when it leaves. Null: it leaves at once. */
  localTime?: string | null;
  /** The campaign that it is made for. Absent: none. */
  campaignId?: number | null;
  /**
   * Sets of lists: nobody is in its audience without being on one list of each set. Absent: it asks
   * for none. An earlier version, which may run beside this one, knows the first set alone
   * (`sets_of_lists` reads what either has written).
   */
  neededLists?: readonly (readonly number[])[];
}

/** Links are numbered within a mailing. Those of a variant's own content begin at its multiple. */
export const linksOfVariant = 10_000;

export interface MailingRow extends MailingContent {
  workspaceId: number;
  id: number;
  kind: MailingKind;
  status: MailingStatus;
  notice: string | null;
  audience: unknown;
  createdBy: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  leftOut: Record<string, number>;
  attempts: number;
  /** A mail server takes its messages. Without one it waits: none goes into the outbox. */
  needsServer: boolean;
  /** The number before that of the first link. */
  linkBase: number;
}

const columns = sql.raw(`
  m.workspace_id as "workspaceId", m.id, m.kind, m.status, m.notice, m.name,
  coalesce(v.from_name, m.from_name) as "fromName", coalesce(v.from_address, m.from_address) as "fromAddress",
  m.reply_to as "replyTo", coalesce(v.subject, m.subject) as subject, coalesce(v.preheader, m.preheader) as preheader,
  coalesce(v.html, m.html) as html, coalesce(v.text, m.text) as text,
  case when v.html is null then 0 else v.number * ${linksOfVariant} end as "linkBase", m.merge_data as "mergeData",
  m.tracks_opens as "tracksOpens", m.tracks_clicks as "tracksClicks", m.audience, m.created_by as "createdBy",
  m.created_at as "createdAt", m.started_at as "startedAt", m.ended_at as "endedAt", m.left_out as "leftOut", m.attempts,
  m.needs_server as "needsServer"`);

export async function insertMailing(
  tx: TenantTx,
  workspaceId: number,
  mailing: MailingContent & {
    kind: MailingKind;
    audience: unknown;
    createdBy: string | null;
    needsServer: boolean;
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, name, from_name, from_address, reply_to, subject, preheader, html, text,
      merge_data, tracks_opens, tracks_clicks, audience, created_by, rest_days,
      spread_hours, local_time, campaign_id, needed_lists, lists, needs_server)
    values (${workspaceId}, ${mailing.kind}, ${mailing.name}, ${mailing.fromName}, ${mailing.fromAddress},
      ${mailing.replyTo}, ${mailing.subject}, ${mailing.preheader}, ${mailing.html}, ${mailing.text},
      ${JSON.stringify(mailing.mergeData)}::jsonb, ${mailing.tracksOpens}, ${mailing.tracksClicks},
      ${JSON.stringify(mailing.audience)}::jsonb, ${mailing.createdBy},
      ${mailing.restDays ?? null}, ${mailing.spreadHours ?? null}, ${mailing.localTime ?? null}::timestamp,
      ${mailing.campaignId ?? null}, ${JSON.stringify(mailing.neededLists ?? [])}::jsonb,
      ${[...(mailing.neededLists?.[0] ?? [])]}::bigint[], ${mailing.needsServer})
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

/** A mailing, with the content of one of its variants. */
export async function selectMailing(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  variant: number | null = null,
): Promise<MailingRow | undefined> {
  const { rows } = await sql<MailingRow>`
    select ${columns} from mailings m
    left join mailing_variants v
      on v.workspace_id = m.workspace_id and v.mailing_id = m.id and v.number = ${variant}::int
    where m.workspace_id = ${workspaceId} and m.id = ${id}`.execute(tx);
  return rows[0];
}

/** Where mailings stand, without their content. */
export interface MailingStanding extends Books {
  id: number;
  status: MailingStatus;
  notice: string | null;
  startedAt: Date | null;
  endedAt: Date | null;
  leftOut: Record<string, number>;
}

/** The sums over the parts of a mailing, as its books keep them. */
const sums = ['total', 'sent', 'failed', 'skipped', 'uncertain', 'deferred'] as const;
const sumsOfParts = sql.raw(sums.map((one) => `coalesce(sum(p.${one}), 0) as ${one}`).join(', '));
/** The books of the row of `mailings`. The log of transactional messages needs none. */
export const booksOf = sql`case when mailings.kind = 'campaign' then (
  select to_jsonb(b) from (
    select ${sumsOfParts} from send_parts p
    where p.workspace_id = mailings.workspace_id and p.mailing_id = mailings.id
  ) b
) end`;
/** The sums of the books where they are written, and those of the parts before. */
const kept = sql.raw(
  sums.map((one) => `coalesce((m.books ->> '${one}')::bigint, p.${one})::bigint as ${one}`).join(', '),
);

/**
 * The books of these mailings. Once a campaign has ended they are stored with it; until then they
 * are the figures of its parts.
 */
export async function selectStandings(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<MailingStanding[]> {
  const { rows } = await sql<Omit<MailingStanding, 'pending'>>`
    select m.id, m.status, m.notice, m.started_at as "startedAt", m.ended_at as "endedAt", m.left_out as "leftOut",
      ${kept}
    from mailings m
    cross join lateral (
      select ${sumsOfParts} from send_parts p
      where m.books is null and p.workspace_id = m.workspace_id and p.mailing_id = m.id
    ) p
    where m.workspace_id = ${workspaceId} and m.id = any(${[...ids]}::bigint[])`.execute(tx);
  return rows.map((row) => ({
    ...row,
    pending: row.total - row.sent - row.failed - row.skipped - row.uncertain,
  }));
}

/**
 * SQL that yields (workspace_id, id, status, ended_at) of the mailings of a workspace. A campaign
 * of which each message was refused has the status `failed`.
 */
export const mailingStates = (workspaceId: number): Fragment => sql`
  select workspace_id, id, ended_at,
    case when status = 'freezing' then 'sending'
         when status = 'completed' and (books ->> 'total')::bigint > 0 and books -> 'sent' = '0'
           and books -> 'failed' = books -> 'total' then 'failed'
         else status end as status
  from mailings where workspace_id = ${workspaceId}`;

/**
 * Moves mailings by `update`, and says in the stream what campaigns they are of. `as` is what the
 * move means where the new status does not tell. Returns whether one was moved.
 */
export async function movedInStream(
  tx: TenantTx,
  update: Fragment,
  as: 'resumed' | 'started' | 'ended' | null = null,
): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    with moved as (${update} returning workspace_id, id, kind, status, notice),
    noted as (${eventsNoted(
      sql`(select workspace_id from moved)`,
      sql`
        select case when status = 'completed' then 'campaign.sent' else 'campaign.' || ${as ?? sql`status`} end as type,
          id as subject_id, jsonb_strip_nulls(jsonb_build_object('notice', notice)) as data, null::bigint[] as contact_ids
        from moved
        where kind = 'campaign' ${as === 'ended' ? sql`and status = 'completed'` : sql``}`,
    )})
    select exists (select from moved) as moved`.execute(tx);
  return rows[0]?.moved ?? false;
}

/** What these mailings were made for. */
export async function selectSubjects(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<MailingSubject[]> {
  const { rows } = await sql<MailingSubject>`
    select id as "mailingId", campaign_id as "campaignId" from mailings
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])`.execute(tx);
  return rows;
}

/**
 * Changes where it stands, if it stands where this may happen. Returns whether it did. Nobody looks
 * after a single transactional mailing, so none is paused: it would never go on.
 */
export async function moveMailing(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { from, to, notice }: { from: readonly MailingStatus[]; to: MailingStatus; notice: string | null },
): Promise<boolean> {
  return movedInStream(
    tx,
    sql`
      update mailings set status = ${to}, notice = ${notice}, wait_until = null
      where workspace_id = ${workspaceId} and id = ${id} and status = any(${[...from]}::text[])
        and (kind <> 'transactional' or ${to} <> 'paused')`,
  );
}

/** Writes down that a mail server takes its messages from now on. */
export async function needServer(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`
    update mailings set needs_server = true
    where workspace_id = ${workspaceId} and id = ${id} and not needs_server`.execute(tx);
}

/** Whether a mail server takes its messages, at this moment. */
export async function selectNeedsServer(tx: TenantTx, workspaceId: number, id: number): Promise<boolean> {
  const { rows } = await sql<{ needsServer: boolean }>`
    select needs_server as "needsServer" from mailings
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return rows[0]?.needsServer ?? false;
}

/** Goes on where it was paused: with its messages, or with writing its people down. */
export async function resumeMailing(tx: TenantTx, workspaceId: number, id: number): Promise<boolean> {
  return movedInStream(
    tx,
    sql`
      update mailings
      set status = case when started_at is null then 'freezing' else 'sending' end, notice = null, wait_until = null,
        lease = null, lease_until = null, attempts = 0
      where workspace_id = ${workspaceId} and id = ${id} and status = 'paused'`,
    'resumed',
  );
}

/** Says why nothing leaves just now, and for how long nobody tries. Null: messages leave again. */
export async function noteTrouble(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  trouble: { notice: string; waitSeconds: number } | null,
): Promise<void> {
  const notice = trouble?.notice ?? null;
  await sql`
    update mailings
    set notice = ${notice}, wait_until = clock_timestamp() + make_interval(secs => ${trouble?.waitSeconds ?? null}::int)
    where workspace_id = ${workspaceId} and id = ${id} and status = 'sending'
      and (notice is distinct from ${notice} or ${notice}::text is not null)`.execute(tx);
}

/**
 * Says why nothing of a transactional mailing can leave until somebody mends it. It is tried by
 * itself after a minute, and after five minutes once it has waited for long.
 */
export async function waitForMending(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  notice: string | null,
): Promise<void> {
  await sql`
    update mailings
    set notice = ${notice},
      wait_until = clock_timestamp()
        + least(interval '5 minutes', greatest(interval '1 minute', (clock_timestamp() - started_at) / 5))
    where workspace_id = ${workspaceId} and id = ${id} and status = 'sending' and kind = 'transactional'`.execute(
    tx,
  );
}

/** Lets nothing leave for some seconds, so that the pace is kept. */
export async function holdBack(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  notice: string | null,
  seconds: number,
): Promise<void> {
  await sql`
    update mailings set notice = ${notice}, wait_until = clock_timestamp() + make_interval(secs => ${seconds}::int)
    where workspace_id = ${workspaceId} and id = ${id} and status = 'sending'`.execute(tx);
}

/** Lets the campaigns that wait for their pace be tried at once. */
export async function endWaitsForPace(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    update mailings set notice = null, wait_until = null
    where workspace_id = ${workspaceId} and status = 'sending' and ended_at is null and kind = 'campaign'
      and wait_until is not null and (notice is null or notice = any(${Object.values(waitInWords)}::text[]))`.execute(
    tx,
  );
}

/**
 * Ends the mailing if none of its parts is open. Others that end a part meanwhile wait. Returns
 * whether it did.
 */
export async function endIfDone(tx: TenantTx, workspaceId: number, id: number): Promise<boolean> {
  await sql`select 1 from mailings where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return movedInStream(
    tx,
    sql`
    update mailings
    set status = case status when 'sending' then 'completed' else status end, ended_at = clock_timestamp(),
      books = ${booksOf},
      notice = case status when 'sending' then null else notice end
    where workspace_id = ${workspaceId} and id = ${id} and status in ('sending', 'cancelled') and ended_at is null
      and not exists (
        select from send_parts p
        where p.workspace_id = ${workspaceId} and p.mailing_id = ${id} and p.status <> 'done')`,
    'ended',
  );
}

/** Where the mailing stands at this moment. */
export async function selectStatus(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<MailingStatus | undefined> {
  const { rows } = await sql<{ status: MailingStatus }>`
    select status from mailings where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return rows[0]?.status;
}

/**
 * Lets the parts that wait for another try be taken up at once. The caller has locked the mailing,
 * and whoever has a part may wait for it, so such a part is passed over.
 */
export async function hurryParts(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`
    update send_parts set lease_until = null
    where workspace_id = ${workspaceId} and id in (
      select id from send_parts
      where workspace_id = ${workspaceId} and mailing_id = ${id} and status <> 'done' and lease is null
        and lease_until is not null
      for update skip locked
    )`.execute(tx);
}
