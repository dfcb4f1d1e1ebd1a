import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { keptReply } from '../../rules/kept-reply.ts';
import type { MailingKind } from '../../rules/mailing.ts';

export interface KeptRow {
  id: number;
  to: string;
  subject: string;
  mailing: string;
  createdAt: Date;
}

const columns = sql.raw(
  'o.id, o.recipient as "to", o.subject, m.name as mailing, o.created_at as "createdAt"',
);
const withMailing = sql`outbox_messages o join mailings m on m.workspace_id = o.workspace_id and m.id = o.mailing_id`;

/** Which messages are asked for. */
interface KeptFilter {
  /** The beginning of a recipient's address. */
  search: string | null;
  mailingId: number | null;
}

interface KeptPage {
  after: number | null;
  limit: number;
}

/** SQL that yields the ids of the messages to a recipient. */
const idsTo = (search: string, mailingId: number | null, { after, limit }: KeptPage) =>
  sql`kept_messages_to(lower(${search}::text), ${mailingId}::bigint, ${after}::bigint, ${limit}::int)`;

const ofMailing = (id: number | null) => (id === null ? sql`` : sql`and o.mailing_id = ${id}`);

/**
 * Kept messages, newest first, those before a place. The page is found before the mailings are
 * joined, so that each message is read once.
 */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  { search, mailingId, after, limit }: KeptFilter & KeptPage,
): Promise<KeptRow[]> {
  const asked =
    search === null
      ? sql`${ofMailing(mailingId)} ${after === null ? sql`` : sql`and o.id < ${after}`}`
      : sql`and o.id in (select ${idsTo(search, mailingId, { after, limit })})`;
  const { rows } = await sql<KeptRow>`
    select ${columns} from (
      select * from outbox_messages o where o.workspace_id = ${workspaceId} ${asked}
      order by o.id desc limit ${limit}
    ) o join mailings m on m.workspace_id = o.workspace_id and m.id = o.mailing_id
    order by o.id desc`.execute(tx);
  return rows;
}

/** How many there are, up to `most`. */
export async function countKept(
  tx: TenantTx,
  workspaceId: number,
  { search, mailingId }: KeptFilter,
  most: number,
): Promise<number> {
  const found =
    search === null
      ? sql`select 1 from outbox_messages o
          where o.workspace_id = ${workspaceId} ${ofMailing(mailingId)} limit ${most}`
      : sql`select from ${idsTo(search, mailingId, { after: null, limit: most })}`;
  const { rows } = await sql<{ count: number }>`select count(*) from (${found}) o`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Those of these mailings `m` for which the condition holds. */
async function mailingsWith(
  tx: TenantTx,
  ids: readonly number[],
  condition: Fragment,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select m.id from unnest(${[...ids]}::bigint[]) m(id) where ${condition}`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Those of these mailings of which a message is kept. */
export const selectKeptMailings = (tx: TenantTx, workspaceId: number, ids: readonly number[]) =>
  mailingsWith(
    tx,
    ids,
    sql`exists (select from outbox_messages o where o.workspace_id = ${workspaceId} and o.mailing_id = m.id)`,
  );

/** The first message that was sent is looked for among so many of a mailing. */
const looked = 1_000;

/**
 * Those of these mailings whose messages went into the outbox, as no mail server was set. The reply
 * to the first one says so, in the ledger, also when they are not kept any more.
 */
export const selectNeverLeft = (tx: TenantTx, workspaceId: number, ids: readonly number[]) =>
  mailingsWith(
    tx,
    ids,
    sql`(
      select right(first.reply, length(${keptReply})) = ${keptReply}
      from (
        select s.state, s.reply from sends s where s.workspace_id = ${workspaceId} and s.mailing_id = m.id
        order by s.id limit ${looked}
      ) first
      where first.state = 'sent' limit 1
    )`,
  );

interface KeptMessageRow extends KeptRow {
  kind: MailingKind;
  source: Buffer;
}

export async function selectKeptMessage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<KeptMessageRow | undefined> {
  const { rows } = await sql<KeptMessageRow>`
    select ${columns}, m.kind, o.source from ${withMailing}
    where o.workspace_id = ${workspaceId} and o.id = ${id}`.execute(tx);
  return rows[0];
}

/** Deletes messages older than this many days. */
export async function forgetKept(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from outbox_messages
    where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
