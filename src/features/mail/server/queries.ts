import { sql } from 'kysely';
import type { Fragment, SystemDb } from '#platform/server/database.ts';
import type { MailKind, mailStatuses } from '../contract.ts';

export interface NewMailRow {
  workspaceId: number | null;
  kind: MailKind;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  link: string | null;
  status: 'kept' | 'waiting';
}

export interface MailRow {
  id: number;
  workspaceId: number | null;
  kind: MailKind;
  recipient: string;
  subject: string;
  text: string | null;
  html: string | null;
  link: string | null;
  status: (typeof mailStatuses)[number];
  attempts: number;
  error: string | null;
  createdAt: Date;
  nextTryAt: Date | null;
  sentAt: Date | null;
}

/** Puts one mail into the outbox. A waiting one is due at once. */
export async function insertMail(db: SystemDb, mail: NewMailRow): Promise<void> {
  await sql`
    insert into outbox (workspace_id, kind, recipient, subject, body_text, body_html, link, status, next_try_at)
    values (${mail.workspaceId}, ${mail.kind}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html},
            ${mail.link}, ${mail.status}, case when ${mail.status} = 'waiting' then now() end)`.execute(db);
}

const mailColumns = sql`
  id, workspace_id as "workspaceId", kind, recipient, subject, body_text as "text", body_html as "html", link, status, attempts, error,
  created_at as "createdAt", next_try_at as "nextTryAt", sent_at as "sentAt"`;

/** A page of the outbox, newest first: of one workspace, or (null) of the whole installation. */
export async function selectMail(
  db: SystemDb,
  workspaceId: number | null,
  { before, limit }: { before: number | null; limit: number },
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${mailColumns} from outbox
    where (${workspaceId}::bigint is null or workspace_id = ${workspaceId}::bigint)
      and (${before}::bigint is null or id < ${before}::bigint)
    order by id desc
    limit ${limit}`.execute(db);
  return rows;
}

/**
 * One mail, locked until the transaction ends: of one workspace, or (null) of the whole
 * installation.
 */
export async function lockMail(
  db: SystemDb,
  id: number,
  workspaceId: number | null,
): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select ${mailColumns} from outbox
    where id = ${id} and (${workspaceId}::bigint is null or workspace_id = ${workspaceId}::bigint)
    for update`.execute(db);
  return rows[0];
}

/** Makes a mail due at once. The caller holds its lock and has checked that this is allowed. */
export async function makeDue(db: SystemDb, id: number): Promise<MailRow> {
  const { rows } = await sql<MailRow>`
    update outbox set status = 'waiting', next_try_at = now() where id = ${id}
    returning ${mailColumns}`.execute(db);
  return rows[0] as MailRow;
}

export interface DueMail {
  id: number;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  attempts: number;
  createdAt: Date;
}

/** Mail about accounts: how to sign in, and what was changed. Its owner waits for it. */
const ofAccounts = sql`
  select id from outbox
  where status = 'waiting' and workspace_id is null and next_try_at <= now()
  order by next_try_at limit 1 for update skip locked`;

/**
 * Mail of workspaces, which take turns: whose last mail was tried longest ago comes first. Only the
 * workspaces with mail that waits are looked at, each by the index.
 */
const ofWorkspaces = sql`
  select mail.id from (
    with recursive waiting (workspace_id) as (
      select min(workspace_id) from outbox where status = 'waiting'
      union all
      select (select min(o.workspace_id) from outbox o where o.status = 'waiting' and o.workspace_id > w.workspace_id)
      from waiting w where w.workspace_id is not null
    )
    select w.workspace_id from waiting w
    cross join lateral (
      select max(tried_at) as at from outbox o where o.workspace_id = w.workspace_id and o.tried_at is not null
    ) last
    where w.workspace_id is not null
    order by last.at nulls first, w.workspace_id
  ) turn
  cross join lateral (
    select o.id from outbox o
    where o.status = 'waiting' and o.workspace_id = turn.workspace_id and o.next_try_at <= now()
    order by o.next_try_at limit 1 for update skip locked
  ) mail
  limit 1`;

/**
 * Takes the due mail whose turn it is and counts the attempt. Nobody else gets it for the next five
 * minutes. Undefined: none is due.
 */
export const claimNext = async (db: SystemDb): Promise<DueMail | undefined> =>
  (await claim(db, ofAccounts)) ?? (await claim(db, ofWorkspaces));

async function claim(db: SystemDb, next: Fragment): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    with next as materialized (${next})
    update outbox set attempts = attempts + 1, next_try_at = now() + interval '5 minutes', tried_at = clock_timestamp()
    where id = (select id from next)
    returning id, recipient, subject, body_text as "text", body_html as "html", attempts,
              created_at as "createdAt"`.execute(db);
  return rows[0];
}

/** One attempt at a mail. After five minutes another may have begun, and ends it in its place. */
type Attempt = Pick<DueMail, 'id' | 'attempts'>;

const isStill = ({ id, attempts }: Attempt) =>
  sql`id = ${id} and attempts = ${attempts} and status = 'waiting'`;

/** The mail server accepted it. Its text is deleted. */
export async function markSent(db: SystemDb, attempt: Attempt): Promise<void> {
  await sql`
    update outbox set status = 'sent', sent_at = now(), next_try_at = null, error = null,
                      body_text = null, body_html = null, link = null
    where ${isStill(attempt)}`.execute(db);
}

/** The mail server did not accept it: try again in this many minutes, or (null) give up. */
export async function markFailed(
  db: SystemDb,
  attempt: Attempt,
  error: string,
  retryInMinutes: number | null,
): Promise<void> {
  await sql`
    update outbox set
      status = case when ${retryInMinutes}::int is null then 'failed' else 'waiting' end,
      next_try_at = now() + make_interval(mins => ${retryInMinutes}::int),
      error = ${error}
    where ${isStill(attempt)}`.execute(db);
}

/** Deletes mail older than this many days. */
export async function deleteOldMail(db: SystemDb, days: number): Promise<void> {
  await sql`delete from outbox where created_at < now() - make_interval(days => ${days})`.execute(db);
}
