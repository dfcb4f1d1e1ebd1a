import { sql } from 'kysely';
import { selectBounceFigures } from '#features/bounces/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { domainOf } from '../engine/writer.ts';
import { selectStandings } from '../mailing-queries.ts';

/**
 * How many messages of campaigns servers took in so many days, and of how many their readers
 * complained, by the domain of the sender. A variant with another sender counts for its campaign's.
 */
export async function complaintsBySender(
  tx: TenantTx,
  workspaceId: number,
  days: number,
): Promise<{ from: string; sent: number; complained: number }[]> {
  const { rows } = await sql<{ id: number; from: string }>`
    select id, from_address as "from" from mailings
    where workspace_id = ${workspaceId} and kind = 'campaign'
      and started_at > now() - make_interval(days => ${days}::int)`.execute(tx);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sent = new Map((await selectStandings(tx, workspaceId, ids)).map((one) => [one.id, one.sent]));
  const bounces = await selectBounceFigures(tx, workspaceId, ids);
  const complained = new Map(bounces.map((one) => [one.mailingId, one.complained]));
  const sum = (mailings: typeof rows, counts: Map<number, number>) =>
    mailings.reduce((all, { id }) => all + (counts.get(id) ?? 0), 0);
  return [...Map.groupBy(rows, ({ from }) => domainOf(from).toLowerCase())].map(([from, own]) => ({
    from,
    sent: sum(own, sent),
    complained: sum(own, complained),
  }));
}
