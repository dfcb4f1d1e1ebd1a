import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

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

/** Kept messages, newest first, those before a place. */
export async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  { search, after, limit }: { search: string | null; after: number | null; limit: number },
): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    select ${columns} from ${withMailing}
    where o.workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and o.id < ${after}`}
      ${search === null ? sql`` : sql`and lower(o.recipient) like ${`${likeText(search.toLowerCase())}%`}`}
    order by o.id desc limit ${limit}`.execute(tx);
  return rows;
}

/** How many there are, up to `most`. */
export async function countKept(
  tx: TenantTx,
  workspaceId: number,
  search: string | null,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select 1 from outbox_messages o where o.workspace_id = ${workspaceId}
        ${search === null ? sql`` : sql`and lower(o.recipient) like ${`${likeText(search.toLowerCase())}%`}`}
      limit ${most}
    ) o`.execute(tx);
  return rows[0]?.count ?? 0;
}

const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

export async function selectKeptMessage(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<(KeptRow & { source: Buffer }) | undefined> {
  const { rows } = await sql<KeptRow & { source: Buffer }>`
    select ${columns}, o.source from ${withMailing}
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
