import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { AdminAction } from '../contract.ts';

/**
 * When the day and the month began in the United Kingdom, and the moment a given number of days
 * ago.
 */
export async function selectTimes(
  db: SystemDb,
  recentDays: number,
): Promise<{ dayStart: Date; monthStart: Date; recentStart: Date }> {
  const { rows } = await sql<{ dayStart: Date; monthStart: Date; recentStart: Date }>`
    select date_trunc('day', now(), 'Europe/London') as "dayStart",
           date_trunc('month', now(), 'Europe/London') as "monthStart",
           now() - make_interval(days => ${recentDays}::int) as "recentStart"`.execute(db);
  return rows[0] as { dayStart: Date; monthStart: Date; recentStart: Date };
}

/** Bytes that the database takes on disk, including indexes. */
export async function selectDatabaseSize(db: SystemDb): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

export interface DatabaseHealth {
  version: string;
  bytes: number;
  connections: number;
  connectionLimit: number;
  migration: string;
}

/** The database server's version, its size, its number of connections, and the latest migration. */
export async function selectDatabaseHealth(db: SystemDb): Promise<DatabaseHealth> {
  const { rows } = await sql<DatabaseHealth>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
           (select sum(numbackends)::int from pg_stat_database) as connections,
           current_setting('max_connections')::int as "connectionLimit",
           (select max(name) from schema_migrations) as migration`.execute(db);
  return rows[0] as DatabaseHealth;
}

/** Adds a line to the record of the administrator's actions. Nothing changes or removes one. */
export async function insertAction(
  db: SystemDb,
  line: { actor: string; action: string; subject: string; details: string },
): Promise<void> {
  await sql`
    insert into admin_actions (actor, action, subject, details)
    values (${line.actor}, ${line.action}, ${line.subject}, ${line.details}::jsonb)`.execute(db);
}

/** One page of the administrator's actions, the latest first, and how many there are. */
export async function selectActions(
  db: SystemDb,
  page: { skip: number; take: number },
): Promise<{ rows: (Omit<AdminAction, 'createdAt'> & { createdAt: Date })[]; totalCount: number }> {
  const { rows } = await sql<Omit<AdminAction, 'createdAt'> & { createdAt: Date }>`
    select id, actor, action, subject, details, created_at as "createdAt"
    from admin_actions order by id desc offset ${page.skip} limit ${page.take}`.execute(db);
  const total = await sql<{ count: number }>`select count(*) from admin_actions`.execute(db);
  return { rows, totalCount: total.rows[0]?.count ?? 0 };
}
