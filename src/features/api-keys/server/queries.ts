import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import type { Role, Scope } from '#platform/shared/contract.ts';

export interface ApiKeyRow {
  id: number;
  name: string;
  prefix: string;
  scopes: Scope[];
  createdBy: string;
  holderId: number;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const columns = sql`
  id, name, prefix, scopes, created_by_name as "createdBy", coalesce(holder_id, created_by) as "holderId", created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt"`;

/** The keys that have not been revoked, newest first. */
export async function selectKeys(tx: TenantTx, workspaceId: number): Promise<ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select ${columns} from api_keys
    where workspace_id = ${workspaceId} and revoked_at is null order by id desc`.execute(tx);
  return rows;
}

export interface NewKey {
  name: string;
  prefix: string;
  hash: Buffer;
  scopes: Scope[];
  userId: number;
  userName: string;
  expiresInDays: number | null;
}

/** Stores a new key's hash. */
export async function insertKey(tx: TenantTx, workspaceId: number, key: NewKey): Promise<ApiKeyRow> {
  const { rows } = await sql<ApiKeyRow>`
    insert into api_keys (workspace_id, name, prefix, hash, scopes, created_by, created_by_name, expires_at)
    values (${workspaceId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}::text[], ${key.userId},
            ${key.userName}, now() + make_interval(days => ${key.expiresInDays}::int))
    returning ${columns}`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('a key was kept without an answer');
  return row;
}

/** Revokes a key. Returns its name, or nothing when there is none to revoke. */
export async function markRevoked(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  by: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update api_keys set revoked_at = now(), revoked_by = ${by}
    where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null returning name`.execute(tx);
  return rows[0]?.name;
}

export interface KeyUse {
  id: number;
  name: string;
  scopes: Scope[];
  /** The person it acts for, and their role now. */
  holderId: number;
  holderRole: Role;
  workspaceName: string;
  used: number;
  resetsIn: number;
}

/** The usable key with this hash; also counts this use. See the function in the migration. */
export async function useKey(
  db: SystemDb,
  workspaceId: number,
  hash: Buffer,
  windowSeconds: number,
): Promise<KeyUse | undefined> {
  const { rows } = await sql<KeyUse>`
    select id, name, scopes, holder_id as "holderId", holder_role as "holderRole",
           workspace_name as "workspaceName", used, resets_in as "resetsIn"
    from use_held_key(${workspaceId}, ${hash}, ${windowSeconds})`.execute(db);
  return rows[0];
}

export interface KeptCall {
  fingerprint: Buffer;
  status: number | null;
  body: string | null;
  /** True once the call has changed something. */
  isDone: boolean;
}

/**
 * Reserves an idempotency key for a call that begins. Returns false when it is taken. A key gives
 * way after a day, or if its call began a quarter of an hour ago and has changed nothing: its
 * process must have died.
 */
export async function reserveCall(
  tx: TenantTx,
  workspaceId: number,
  key: string,
  fingerprint: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as kept (workspace_id, key, fingerprint) values (${workspaceId}, ${key}, ${fingerprint})
    on conflict (workspace_id, key) do update set
      fingerprint = excluded.fingerprint, status = null, body = null, done_at = null, created_at = now()
      where kept.created_at < now() - interval '24 hours'
         or (kept.status is null and kept.done_at is null and kept.created_at < now() - interval '15 minutes')
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** What is stored under an idempotency key. */
export async function selectCall(
  tx: TenantTx,
  workspaceId: number,
  key: string,
): Promise<KeptCall | undefined> {
  const { rows } = await sql<KeptCall>`
    select fingerprint, status, body, done_at is not null as "isDone" from idempotency_keys
    where workspace_id = ${workspaceId} and key = ${key}`.execute(tx);
  return rows[0];
}

/**
 * Notes, in the transaction that made the change, that the key's call has changed something, with
 * its answer if known. A call that changed nothing has no transaction id yet, and leaves the key as
 * it is.
 */
export async function markCallDone(
  tx: TenantTx,
  workspaceId: number,
  key: string,
  answer: { status: number; body: string } | null,
): Promise<void> {
  await sql`
    update idempotency_keys set done_at = coalesce(done_at, now()),
      status = coalesce(${answer?.status ?? null}::integer, status), body = coalesce(${answer?.body ?? null}::text, body)
    where workspace_id = ${workspaceId} and key = ${key} and pg_current_xact_id_if_assigned() is not null`.execute(
    tx,
  );
}

/** Stores the answer of a call that is done. */
export async function keepAnswer(
  tx: TenantTx,
  workspaceId: number,
  key: string,
  { status, body }: { status: number; body: string },
): Promise<void> {
  await sql`
    update idempotency_keys set status = ${status}, body = ${body}
    where workspace_id = ${workspaceId} and key = ${key}`.execute(tx);
}

/**
 * Releases an idempotency key whose call did nothing. If the call changed something, stores an
 * answer.
 */
export async function endFailedCall(
  tx: TenantTx,
  workspaceId: number,
  key: string,
  { final, lost }: { final: { status: number; body: string } | null; lost: { status: number; body: string } },
): Promise<void> {
  await sql`
    delete from idempotency_keys
    where workspace_id = ${workspaceId} and key = ${key} and status is null and done_at is null`.execute(tx);
  const { status, body } = final ?? lost;
  await sql`
    update idempotency_keys set status = ${status}, body = ${body}
    where workspace_id = ${workspaceId} and key = ${key} and done_at is not null
      and (status is null or ${final !== null}::boolean)`.execute(tx);
}

/** Deletes stored answers of all workspaces that are older than a day. */
export async function forgetCalls(db: SystemDb): Promise<void> {
  await sql`select forget_idempotency_keys(24)`.execute(db);
}
