import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Activity } from '../contract.ts';

export interface ActivityValues {
  action: string;
  details: string;
  status: string;
  icon: string;
  iconColor: string;
  actor: string | null;
  subject: string | null;
  link: string | null;
  notify: boolean;
}

/**
 * Writes a line, or brings the line of the same subject up to date. The time is the clock's, not the transaction's start:
 * an import's transaction is minutes long and its line belongs at the top when it ends.
 */
export async function upsertActivity(
  tx: TenantTx,
  workspaceId: number,
  values: ActivityValues,
): Promise<void> {
  await sql`
    insert into activities (workspace_id, action, details, status, icon, icon_color, actor, subject, link, notify,
                            created_at)
    values (${workspaceId}, ${values.action}, ${values.details}, ${values.status}, ${values.icon}, ${values.iconColor},
            ${values.actor}, ${values.subject}, ${values.link}, ${values.notify}, clock_timestamp())
    on conflict (workspace_id, subject) where subject is not null do update
    set action = excluded.action, details = excluded.details, status = excluded.status, icon = excluded.icon,
        icon_color = excluded.icon_color, actor = coalesce(excluded.actor, activities.actor),
        link = excluded.link, notify = excluded.notify, created_at = excluded.created_at`.execute(tx);
}

/** The newest lines. A line that was updated counts as new. */
export async function selectActivities(
  tx: TenantTx,
  workspaceId: number,
  limit: number,
): Promise<Activity[]> {
  const { rows } = await sql<Omit<Activity, 'timestamp'> & { createdAt: Date }>`
    select id, action, details, status, icon, icon_color as "iconColor", created_at as "createdAt"
    from activities
    where workspace_id = ${workspaceId}
    order by created_at desc, id desc
    limit ${limit}`.execute(tx);
  return rows.map(({ createdAt, ...row }) => ({ ...row, timestamp: createdAt.toISOString() }));
}

/** Forgets lines older than so many days. What was done to the data stays in the audit log. */
export async function deleteOldActivities(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from activities
    where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
