import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';

/** Moves what was committed into the stream, at most so many, and answers how many. */
export async function sequenceEvents(db: SystemDb, most: number): Promise<number> {
  const { rows } = await sql<{ moved: number }>`select sequence_events(${most}::int) as moved`.execute(db);
  return rows[0]?.moved ?? 0;
}

export interface EventRow {
  position: string;
  type: string;
  subjectId: number | null;
  data: Record<string, unknown> | null;
  contactIds: number[];
  at: Date;
}

/**
 * The next events after a position, of these types, among the next `looked` of all. Answers too
 * where it stopped looking, and whether there was more to look at.
 */
export async function selectEvents(
  tx: TenantTx,
  workspaceId: number,
  {
    after,
    types,
    looked,
    limit,
  }: { after: string; types: readonly string[] | null; looked: number; limit: number },
): Promise<{ events: EventRow[]; end: string; hasMore: boolean }> {
  const { rows } = await sql<{ events: EventRow[] | null; end: string | null; count: number }>`
    with next as materialized (
      select * from events where workspace_id = ${workspaceId} and position > ${after}::bigint
      order by position limit ${looked}
    ), fitting as (
      select * from next ${types === null ? sql`` : sql`where type = any(${[...types]}::text[])`}
      order by position limit ${limit + 1}
    )
    select (
        select jsonb_agg(jsonb_build_object('position', position::text, 'type', type, 'subjectId', subject_id,
          'data', data, 'contactIds', contact_ids, 'at', at) order by position)
        from fitting
      ) as events,
      (select max(position) from next)::text as "end", (select count(*) from next)::int as count`.execute(tx);
  const found = (rows[0]?.events ?? []).map((event) => ({ ...event, at: new Date(event.at) }));
  const events = found.slice(0, limit);
  if (found.length > limit) return { events, end: events.at(-1)?.position ?? after, hasMore: true };
  return { events, end: rows[0]?.end ?? after, hasMore: rows[0]?.count === looked };
}

/** The position of the last event. */
export async function selectEnd(tx: TenantTx, workspaceId: number): Promise<string> {
  const { rows } = await sql<{ end: string }>`
    select coalesce(max(position), 0)::text as "end" from events where workspace_id = ${workspaceId}`.execute(
    tx,
  );
  return rows[0]?.end ?? '0';
}

/** Deletes the oldest events that are older than this, at most so many. Answers how many. */
export async function forgetOldest(
  tx: TenantTx,
  workspaceId: number,
  { days, most }: { days: number; most: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events e
    where e.workspace_id = ${workspaceId} and e.at < now() - make_interval(days => ${days}::int)
      and e.position <= (
        select max(position) from (
          select position from events where workspace_id = ${workspaceId} order by position limit ${most}
        ) oldest)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
