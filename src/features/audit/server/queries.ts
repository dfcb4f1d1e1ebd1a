import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** Adds a line. No query changes or removes one, and the database would refuse it. */
export async function insertAuditLine(
  tx: TenantTx,
  workspaceId: number,
  line: { actor: string | null; action: string; subject: string; details: string },
): Promise<void> {
  await sql`
    insert into audit_log (workspace_id, actor, action, subject, details, created_at)
    values (${workspaceId}, ${line.actor}, ${line.action}, ${line.subject}, ${line.details}::jsonb, clock_timestamp())`.execute(
    tx,
  );
}

export interface AuditRow {
  id: number;
  actor: string | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  createdAt: Date;
}

export interface AuditQuery {
  actor: string | null;
  /** The first words of actions: 'member'. */
  kinds: string[] | null;
  subject: string | null;
  /** Days in UK time. */
  from: string | null;
  to: string | null;
  before: number | null;
  limit: number;
}

/** Matching lines older than a given one, newest first. */
export async function selectAuditLines(
  tx: TenantTx,
  workspaceId: number,
  { actor, kinds, subject, from, to, before, limit }: AuditQuery,
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select id, actor, action, subject, details, created_at as "createdAt"
    from audit_log
    where workspace_id = ${workspaceId}
      and (${before}::bigint is null or id < ${before}::bigint)
      and (${actor}::text is null or strpos(lower(actor), lower(${actor}::text)) > 0)
      and (${kinds}::text[] is null or split_part(action, '.', 1) = any (${kinds}::text[]))
      and (${subject}::text is null or subject = ${subject}::text)
      and (${from}::date is null or created_at >= ${from}::date::timestamp at time zone 'Europe/London')
      and (${to}::date is null or created_at < (${to}::date + 1)::timestamp at time zone 'Europe/London')
    order by id desc
    limit ${limit}`.execute(tx);
  return rows;
}

/**
 * The newest lines about each of these subjects, newest first. Looks into the index of subjects
 * once for each.
 */
export async function selectLinesAbout(
  tx: TenantTx,
  workspaceId: number,
  subjects: readonly string[],
  each: number,
): Promise<AuditRow[]> {
  if (subjects.length === 0) return [];
  const { rows } = await sql<AuditRow>`
    select l.* from unnest(${[...subjects]}::text[]) as s (subject)
    cross join lateral (
      select a.id, a.actor, a.action, a.subject, a.details, a.created_at as "createdAt" from audit_log a
      where a.workspace_id = ${workspaceId} and a.subject = s.subject
      order by a.id desc limit ${each}
    ) l
    order by l.id desc`.execute(tx);
  return rows;
}

/** Who did an action, according to the newest of these lines about it. */
export const whoDid = (lines: readonly AuditRow[], action: string): string | null =>
  lines.find((line) => line.action === action)?.actor || null;
