import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

export interface Connection {
  host: string;
  port: number;
  tls: 'starttls' | 'implicit' | 'none';
  /** Empty: without signing in. */
  username: string;
}

export interface WrittenServer extends Connection {
  name: string;
  /** Sealed. */
  password: string | null;
  weight: number;
  isFallback: boolean;
  isActive: boolean;
  perHour: number | null;
  perMinute: number | null;
}

export interface ServerRow extends WrittenServer {
  id: number;
  lastTestAt: Date | null;
  lastTestOk: boolean | null;
  lastTestAnswer: string | null;
  trouble: string | null;
  troubleAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = sql`
  s.id, s.name, s.host, s.port, s.tls, s.username, s.password, s.weight, s.is_fallback as "isFallback",
  s.is_active as "isActive", s.per_hour as "perHour", s.per_minute as "perMinute", s.last_test_at as "lastTestAt", s.last_test_ok as "lastTestOk",
  s.last_test_answer as "lastTestAnswer", s.trouble, s.trouble_at as "troubleAt",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** The mail servers of a workspace, by name. */
export async function selectServers(tx: TenantTx, workspaceId: number): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    select ${columns} from smtp_servers s where s.workspace_id = ${workspaceId}
    order by lower(s.name), s.id`.execute(tx);
  return rows;
}

/** The hosts of the servers of a workspace that are on, each once. */
export async function selectHosts(tx: TenantTx, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select distinct host from smtp_servers where workspace_id = ${workspaceId} and is_active
    order by host`.execute(tx);
  return rows.map(({ host }) => host);
}

/**
 * How many messages a minute the servers of a workspace that are on take together. Null: one of
 * them has no limit, or there is none.
 */
export async function selectRate(tx: TenantTx, workspaceId: number): Promise<number | null> {
  const { rows } = await sql<{ rate: number | null }>`
    select case when bool_and(coalesce(per_minute, per_hour) is not null)
      then sum(least(per_minute, per_hour / 60.0))::float8 end as rate
    from smtp_servers where workspace_id = ${workspaceId} and is_active`.execute(tx);
  return rows[0]?.rate ?? null;
}

/** One mail server. With `lock`, nobody else changes it until the transaction ends. */
export async function selectServer(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { lock = false } = {},
): Promise<ServerRow | undefined> {
  const { rows } = await sql<ServerRow>`
    select ${columns} from smtp_servers s
    where s.workspace_id = ${workspaceId} and s.id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

export async function insertServer(
  tx: TenantTx,
  workspaceId: number,
  server: WrittenServer,
): Promise<ServerRow> {
  const { name, host, port, tls, username, password, weight, isFallback, isActive, perHour, perMinute } =
    server;
  const { rows } = await sql<ServerRow>`
    insert into smtp_servers as s
      (workspace_id, name, host, port, tls, username, password, weight, is_fallback, is_active, per_hour,
        per_minute)
    values (${workspaceId}, ${name}, ${host}, ${port}, ${tls}, ${username}, ${password}, ${weight},
      ${isFallback}, ${isActive}, ${perHour}, ${perMinute})
    returning ${columns}`.execute(tx);
  return rows[0] as ServerRow;
}

/**
 * Writes a server. With `forgets`, what is known of its connection holds no more. What has left
 * counts for a limit that stays.
 */
export async function updateServer(
  tx: TenantTx,
  workspaceId: number,
  server: WrittenServer & { id: number; forgets: boolean },
): Promise<ServerRow> {
  const { id, name, host, port, tls, username, password, weight, isFallback, isActive } = server;
  const { perHour, perMinute, forgets } = server;
  const { rows } = await sql<ServerRow>`
    update smtp_servers s set name = ${name}, host = ${host}, port = ${port}, tls = ${tls},
      username = ${username}, password = ${password}, weight = ${weight}, is_fallback = ${isFallback},
      is_active = ${isActive}, per_hour = ${perHour}, per_minute = ${perMinute},
      hour_next_at = case when per_hour is not distinct from ${perHour} then hour_next_at else 'epoch' end,
      minute_next_at = case when per_minute is not distinct from ${perMinute} then minute_next_at else 'epoch' end,
      updated_at = clock_timestamp(), trouble = null, trouble_at = null
      ${forgets ? sql`, last_test_at = null, last_test_ok = null, last_test_answer = null` : sql``}
    where s.workspace_id = ${workspaceId} and s.id = ${id}
    returning ${columns}`.execute(tx);
  return rows[0] as ServerRow;
}

export async function removeServer(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`delete from smtp_servers where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Keeps what a test came to, unless the server was changed meanwhile. */
export async function keepTest(
  tx: TenantTx,
  workspaceId: number,
  { id, updatedAt }: Pick<ServerRow, 'id' | 'updatedAt'>,
  { ok, answer }: { ok: boolean; answer: string },
): Promise<void> {
  await sql`
    update smtp_servers set last_test_at = clock_timestamp(), last_test_ok = ${ok}, last_test_answer = ${answer}
    where workspace_id = ${workspaceId} and id = ${id}
      and date_trunc('milliseconds', updated_at) = ${updatedAt}`.execute(tx);
}

/** Replaces the sealed form of a password by another of the same password. */
export async function updateSealed(
  tx: TenantTx,
  workspaceId: number,
  { id, password }: { id: number; password: string },
): Promise<void> {
  await sql`
    update smtp_servers set password = ${password} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
}

/** Notes why nothing leaves through a server, or with null that something does again. */
export async function noteTrouble(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  trouble: string | null,
): Promise<void> {
  await sql`
    update smtp_servers set trouble = ${trouble}::text,
      trouble_at = case when ${trouble}::text is null then null else clock_timestamp() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
