import { sql } from 'kysely';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import type { Activity, NotificationChoices } from '../contract.ts';

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
 * Writes a line, or updates the line with the same subject. The time is the clock's, not the
 * transaction's start: an import's transaction takes minutes, and its line belongs at the top when
 * it ends.
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

/** Who did it, by email address. Work that outlives a call stores the person's number. */
const who = sql`coalesce(u.email, a.actor)`;
const whoJoin = sql`
  left join users u on u.id = case when a.actor ~ '^[0-9]{1,18}$' then a.actor::bigint end`;
const withWho = sql`activities a ${whoJoin}`;

const columns = sql`
  a.id, a.action, a.details, a.status, a.icon, a.icon_color as "iconColor", ${who} as actor, a.link,
  a.created_at as "createdAt"`;

type Row = Omit<Activity, 'timestamp'> & { createdAt: Date };
const present = ({ createdAt, ...row }: Row): Activity => ({ ...row, timestamp: createdAt.toISOString() });

export interface ActivityFilter {
  limit: number;
  before?: number | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Lines, newest first. With `before`, those that follow that line in this order. An updated line
 * counts as new.
 */
export async function selectActivities(
  tx: TenantTx,
  workspaceId: number,
  filter: ActivityFilter,
): Promise<Activity[]> {
  const { limit, before, action, actor, status, from, to } = filter;
  const tests = [sql`a.workspace_id = ${workspaceId}`];
  if (before !== undefined) {
    tests.push(sql`(a.created_at, a.id) < (
      select b.created_at, b.id from activities b where b.workspace_id = ${workspaceId} and b.id = ${before})`);
  }
  if (action !== undefined) tests.push(sql`a.action = ${action}`);
  if (actor !== undefined) tests.push(sql`${who} = ${actor}`);
  if (status !== undefined) tests.push(sql`a.status = ${status}`);
  // Days are those of the people who use the product.
  if (from !== undefined)
    tests.push(sql`a.created_at >= ${from}::date::timestamp at time zone 'Europe/London'`);
  if (to !== undefined)
    tests.push(sql`a.created_at < (${to}::date + 1)::timestamp at time zone 'Europe/London'`);
  const { rows } = await sql<Row>`
    select ${columns} from ${withWho} where ${sql.join(tests, sql` and `)}
    order by a.created_at desc, a.id desc limit ${limit}`.execute(tx);
  return rows.map(present);
}

/**
 * SQL that yields each value of a column once. It goes from one to the next in an index, because
 * there are few among many lines.
 */
const eachOf = (workspaceId: number, column: 'action' | 'actor'): Fragment => {
  const name = sql.ref(`a.${column}`);
  return sql`
    with recursive each as (
      (select ${name} as value from activities a where a.workspace_id = ${workspaceId} and ${name} is not null
       order by ${name} limit 1)
      union all
      select (select ${name} from activities a where a.workspace_id = ${workspaceId} and ${name} > e.value
              order by ${name} limit 1)
      from each e where e.value is not null
    )
    select value from each where value is not null`;
};

/** The titles and the people that occur. */
export async function selectFilters(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ actions: string[]; actors: string[] }> {
  const { rows } = await sql<{ actions: string[] | null; actors: string[] | null }>`
    select (select array_agg(value order by value) from (${eachOf(workspaceId, 'action')}) e) as actions,
      (select array_agg(distinct ${who} order by ${who})
       from (select value as actor from (${eachOf(workspaceId, 'actor')}) e) a ${whoJoin}) as actors`.execute(
    tx,
  );
  return { actions: rows[0]?.actions ?? [], actors: rows[0]?.actors ?? [] };
}

/**
 * The newest lines under the bell, and for each whether it rings for this person: they chose its
 * kind and have not seen it yet.
 */
export async function selectNotifications(
  tx: TenantTx,
  workspaceId: number,
  userId: string,
  limit: number,
): Promise<(Activity & { isNew: boolean })[]> {
  const { rows } = await sql<Row & { isNew: boolean }>`
    select ${columns},
           a.created_at > coalesce(r.seen_until, '-infinity')
             and case when a.status = 'failed' then coalesce(o.failed, true)
                      when a.subject is not null then coalesce(o.finished, true)
                      else true end as "isNew"
    from ${withWho}
    left join notification_choices o on o.user_id = ${Number(userId)}
    left join notification_reads r on r.workspace_id = a.workspace_id and r.user_id = ${userId}
    where a.workspace_id = ${workspaceId} and a.notify
    order by a.created_at desc, a.id desc limit ${limit}`.execute(tx);
  return rows.map(({ isNew, ...row }) => ({ ...present(row), isNew }));
}

/**
 * Marks what is under the bell as seen by this person: the lines up to `until` (ISO, milliseconds),
 * or all. What they have seen before stays seen.
 */
export async function markSeen(
  tx: TenantTx,
  workspaceId: number,
  userId: string,
  until: string | undefined,
): Promise<void> {
  // The lines have microseconds.
  const newest = sql`${until === undefined ? null : new Date(until)}::timestamptz + interval '999 microseconds'`;
  await sql`
    insert into notification_reads as r (workspace_id, user_id, seen_until)
    values (${workspaceId}, ${userId}, least(${newest}, clock_timestamp()))
    on conflict (workspace_id, user_id) do update
    set seen_until = greatest(r.seen_until, excluded.seen_until)`.execute(tx);
}

/** What rings the bell for a person. Everything until they choose. */
export async function selectChoices(db: SystemDb, userId: number): Promise<NotificationChoices> {
  const { rows } = await sql<NotificationChoices>`
    select finished, failed, invitations from notification_choices where user_id = ${userId}`.execute(db);
  return rows[0] ?? { finished: true, failed: true, invitations: true };
}

/** Stores what a person chose. Absent choices stay as they are. */
export async function upsertChoices(
  db: SystemDb,
  userId: number,
  { finished, failed, invitations }: { [K in keyof NotificationChoices]?: boolean | undefined },
): Promise<NotificationChoices> {
  const given = (value: boolean | undefined) => sql`${value ?? null}::boolean`;
  const { rows } = await sql<NotificationChoices>`
    insert into notification_choices as kept (user_id, finished, failed, invitations)
    values (${userId}, coalesce(${given(finished)}, true), coalesce(${given(failed)}, true), coalesce(${given(invitations)}, true))
    on conflict (user_id) do update set
      finished = coalesce(${given(finished)}, kept.finished), failed = coalesce(${given(failed)}, kept.failed),
      invitations = coalesce(${given(invitations)}, kept.invitations)
    returning finished, failed, invitations`.execute(db);
  return rows[0] as NotificationChoices;
}

/**
 * Deletes lines older than the given number of days. What was done to the data stays in the audit
 * log.
 */
export async function deleteOldActivities(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from activities
    where workspace_id = ${workspaceId} and created_at < now() - make_interval(days => ${days}::int)`.execute(
    tx,
  );
}
