import { sql } from 'kysely';
import type { BouncedMailings } from '#features/bounces/server/index.ts';
import type { SendKey } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { moveMailing, selectStandings } from './mailing-queries.ts';

/** Whether a server took a message to the address since then, in another mailing than these. */
async function hasReached(
  tx: TenantTx,
  workspaceId: number,
  { local, domain }: { local: string; domain: string },
  { since, mailingIds }: { since: Date; mailingIds: readonly number[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from mailings m
    join sends s on s.workspace_id = m.workspace_id and s.mailing_id = m.id and s.domain = ${domain} and s.local = ${local}
      and s.contact_id is not null
    where m.workspace_id = ${workspaceId} and s.state = 'sent' and s.ended_at > ${since}
      and m.id <> all(${[...mailingIds]}::bigint[]) limit 1`.execute(tx);
  return rows.length > 0;
}

/** The last message to each of these addresses. */
async function latestTo(
  tx: TenantTx,
  workspaceId: number,
  addresses: readonly { local: string; domain: string }[],
  days: number,
): Promise<(SendKey & { local: string; domain: string })[]> {
  const { rows } = await sql<SendKey & { local: string; domain: string }>`
    select distinct on (s.domain, s.local) s.mailing_id as "mailingId", s.id as "sendId", s.local, s.domain
    from mailings m
    cross join unnest(${addresses.map(({ local }) => local)}::text[], ${addresses.map(({ domain }) => domain)}::text[])
      a(local, domain)
    join sends s on s.workspace_id = m.workspace_id and s.mailing_id = m.id and s.domain = a.domain and s.local = a.local
    where m.workspace_id = ${workspaceId} and s.handed_at > now() - make_interval(days => ${days}::int)
      and coalesce(m.ended_at, now()) > now() - make_interval(days => ${days}::int)
    order by s.domain, s.local, s.handed_at desc`.execute(tx);
  return rows;
}

/** What the feature that hears of bounces asks of mailings. */
export const bouncedMailings: BouncedMailings = {
  hasReached,
  latestTo,
  async handled(tx, workspaceId, mailingId) {
    const [mailing] = await selectStandings(tx, workspaceId, [mailingId]);
    return mailing?.status === 'sending' ? mailing.sent + mailing.failed : 0;
  },
  async pause(tx, workspaceId, mailingId, notice) {
    await moveMailing(tx, workspaceId, mailingId, { from: ['sending'], to: 'paused', notice });
  },
};
