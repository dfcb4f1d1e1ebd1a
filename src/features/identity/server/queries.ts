import { type Kysely, sql } from 'kysely';
import type { Role } from '#platform/shared/contract.ts';

/** Any handle on the sign-in tables: the pool, or a transaction under way. They belong to no tenant. */
// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
export type Db = Kysely<any>;

export interface SessionRow {
  sessionId: number;
  expiresAt: Date;
  lastSeenAt: Date;
  startedAt: Date;
  /** Begun at the identity provider. */
  throughProvider: boolean;
  activeWorkspaceId: number | null;
  userId: number;
  name: string;
  email: string;
  emailVerified: boolean;
  createdAt: Date;
  twoFactor: boolean;
  workspace: { id: number; name: string; role: Role; requiresTwoFactor: boolean } | null;
}

interface FlatSessionRow extends Omit<SessionRow, 'workspace'> {
  workspaceId: number | null;
  workspaceName: string | null;
  requiresTwoFactor: boolean | null;
  role: Role | null;
}

/**
 * The live session with this token, its user, and the workspace the session is at work in; where the user is no
 * member of that one (any more), the one they have belonged to longest. Read on every call: three look-ups by
 * unique index.
 */
export async function findSession(db: Db, token: string): Promise<SessionRow | null> {
  const { rows } = await sql<FlatSessionRow>`
    select s.id as "sessionId", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt", s.created_at as "startedAt",
           s.through_provider as "throughProvider", s.active_workspace_id as "activeWorkspaceId",
           u.id as "userId", u.name, u.email, u.email_verified as "emailVerified", u.created_at as "createdAt",
           u.two_factor_enabled as "twoFactor", m.workspace_id as "workspaceId", w.name as "workspaceName",
           w.requires_two_factor as "requiresTwoFactor", m.role
    from sessions s
    join users u on u.id = s.user_id
    left join lateral (
      select workspace_id, role
      from members
      where user_id = u.id
      order by workspace_id = s.active_workspace_id desc nulls last, id
      limit 1
    ) m on true
    left join workspaces w on w.id = m.workspace_id
    where s.token = ${token} and s.expires_at > now() and u.suspended_at is null`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const { workspaceId: id, workspaceName: name, requiresTwoFactor, role, ...session } = row;
  const isMember = id !== null && name !== null && role !== null;
  return {
    ...session,
    workspace: isMember ? { id, name, role, requiresTwoFactor: requiresTwoFactor === true } : null,
  };
}

/** Where this person was last at work, else where they have belonged longest; null without a workspace. */
export async function findWorkspaceOf(db: Db, userId: number): Promise<number | null> {
  const { rows } = await sql<{ workspaceId: number }>`
    select workspace_id as "workspaceId"
    from members
    where user_id = ${userId}
    order by workspace_id = (
      select active_workspace_id from sessions where user_id = ${userId} order by updated_at desc limit 1
    ) desc nulls last, id
    limit 1`.execute(db);
  return rows[0]?.workspaceId ?? null;
}

/** Holds back others who would change this user until the transaction ends; sign-ins and references go on. */
export async function lockUser(db: Db, userId: number): Promise<{ name: string; email: string } | null> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from users where id = ${userId} for no key update`.execute(db);
  return rows[0] ?? null;
}

/** Makes a workspace with its owner in one statement. */
export async function insertWorkspace(db: Db, name: string, ownerId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with workspace as (insert into workspaces (name) values (${name}) returning id),
         owner as (
           insert into members (workspace_id, user_id, role)
           select id, ${ownerId}::bigint, 'owner' from workspace
         )
    select id from workspace`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('a workspace was inserted without an id');
  return row.id;
}

/** Remembers where a session is at work. */
export async function setActiveWorkspace(db: Db, sessionId: number, workspaceId: number): Promise<void> {
  await sql`update sessions set active_workspace_id = ${workspaceId} where id = ${sessionId}`.execute(db);
}

/** Notes that a session was used just now, and its user at work in this workspace. */
export async function markSeen(db: Db, sessionId: number, workspaceId: number | null): Promise<void> {
  await sql`
    with seen as (update sessions set last_seen_at = now() where id = ${sessionId} returning user_id)
    update members m set last_seen_at = now() from seen
    where m.user_id = seen.user_id and m.workspace_id = ${workspaceId}::bigint`.execute(db);
}

/** The hash of a user's password; null when they have none. */
export async function selectPasswordHash(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from accounts where user_id = ${userId} and provider_id = 'credential'`.execute(db);
  return rows[0]?.password ?? null;
}

/** Whether somebody asked this address to join and still waits for the answer. */
export async function hasPendingInvitation(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from invitations
    where email = ${email.toLowerCase()} and status = 'pending' and expires_at > now()
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Counts one attempt under `key` in a window of `windowMs` that begins with the first attempt, and answers how many
 * that makes and when the window began. One statement, so that attempts at the same moment are all counted.
 */
export async function countAttempt(
  db: Db,
  key: string,
  now: number,
  windowMs: number,
): Promise<{ count: number; since: number }> {
  const { rows } = await sql<{ count: number; since: number }>`
    insert into rate_limits as kept (key, count, last_request) values (${key}, 1, ${now})
    on conflict (key) do update set
      count = case when kept.last_request <= ${now - windowMs}::bigint then 1 else kept.count + 1 end,
      last_request = case when kept.last_request <= ${now - windowMs}::bigint then ${now}::bigint else kept.last_request end
    returning count, last_request as since`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('an attempt was counted without an answer');
  return row;
}

/** Names by user id, for showing who did something. Ids of nobody are left out. */
export async function namesOf(db: Db, userIds: number[]): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from users where id = any (${userIds}::bigint[])`.execute(db);
  return rows;
}

/** Deletes what has run out: sessions, one-time proofs, and attempts counted before `attemptsBefore` (ms since 1970). */
export async function deleteExpired(db: Db, attemptsBefore: number): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(db);
  await sql`delete from verifications where expires_at < now()`.execute(db);
  await sql`delete from rate_limits where last_request < ${attemptsBefore}`.execute(db);
}

/** Every workspace there is. */
export async function selectWorkspaceIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from workspaces order by id`.execute(db);
  return rows.map((row) => row.id);
}
