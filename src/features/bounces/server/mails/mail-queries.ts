import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { MailReading } from '../../contract.ts';

export interface NewMail {
  mailingId: number;
  sendId: number;
  contactId: number | null;
  local: string;
  domain: string;
  sender: string;
  subject: string;
  text: string;
  source: string;
  digest: Buffer;
}

/** How many mails are kept: of a message, of the last day, and unread. Counted up to the limit. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  { mailingId, sendId, digest }: Pick<NewMail, 'mailingId' | 'sendId' | 'digest'>,
  most: { day: number; open: number },
): Promise<{ isThere: boolean; message: number; day: number; open: number }> {
  const { rows } = await sql<{ isThere: boolean; message: number; day: number; open: number }>`
    with own as (
      select digest from bounce_mails
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId}
    ), newest as (
      select received_at from bounce_mails where workspace_id = ${workspaceId} order by id desc limit ${most.day}
    ), open as (
      select from bounce_mails where workspace_id = ${workspaceId} and read_as is null limit ${most.open}
    )
    select exists (select from own where digest = ${digest}) as "isThere",
      (select count(*) from own)::int as message,
      (select count(*) from newest where received_at > now() - interval '1 day')::int as day,
      (select count(*) from open)::int as open`.execute(tx);
  return rows[0] as (typeof rows)[number];
}

/** Keeps a mail for somebody to read. */
export async function insertMail(tx: TenantTx, workspaceId: number, mail: NewMail): Promise<void> {
  await sql`
    insert into bounce_mails (workspace_id, mailing_id, send_id, contact_id, local, domain, sender, subject, text,
      source, digest)
    values (${workspaceId}, ${mail.mailingId}, ${mail.sendId}, ${mail.contactId}, ${mail.local}, ${mail.domain},
      ${mail.sender}, ${mail.subject}, ${mail.text}, ${mail.source}, ${mail.digest})`.execute(tx);
}

export interface MailRow {
  id: number;
  mailingId: number;
  sendId: number;
  sender: string;
  subject: string;
  text: string;
  receivedAt: Date;
  readAs: MailReading | null;
  readBy: string | null;
}

const columns = sql.raw(`id, mailing_id as "mailingId", send_id as "sendId", sender, subject, text,
  received_at as "receivedAt", read_as as "readAs", read_by as "readBy"`);

/** Mails by number, newest first, those before a place. */
export async function selectMails(
  tx: TenantTx,
  workspaceId: number,
  { isOpen, after, limit }: { isOpen: boolean; after: number | null; limit: number },
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from bounce_mails
    where workspace_id = ${workspaceId} and (read_as is null) = ${isOpen}
      ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit}`.execute(tx);
  return rows;
}

/** How many there are, up to `most`. */
export async function countMails(
  tx: TenantTx,
  workspaceId: number,
  isOpen: boolean,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from bounce_mails where workspace_id = ${workspaceId} and (read_as is null) = ${isOpen} limit ${most}
    ) m`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function selectMail(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options?: { lock: boolean },
): Promise<(MailRow & { source: string }) | undefined> {
  const { rows } = await sql<MailRow & { source: string }>`
    select ${columns}, source from bounce_mails where workspace_id = ${workspaceId} and id = ${id}
    ${options?.lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

export async function updateReading(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { as, by }: { as: MailReading; by: string },
): Promise<void> {
  await sql`
    update bounce_mails set read_as = ${as}, read_by = ${by}, read_at = clock_timestamp()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Deletes mails of so many days ago. */
export async function forgetMails(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from bounce_mails
    where workspace_id = ${workspaceId} and received_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
