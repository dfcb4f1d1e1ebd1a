import { sql } from 'kysely';
import type { Role } from '#platform/shared/contract.ts';
import type { Db } from './queries.ts';

export interface SessionRow {
  sessionId: number;
  expiresAt: Date;
  lastSeenAt: Date;
  startedAt: Date;
  /** The session began at the identity provider. */
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
 * The live session with this token, its user, and the session's workspace. If the user is not (or
 * no longer) a member of that workspace, the one they have belonged to longest. Runs on every call:
 * three look-ups by unique index.
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

/** Stores the workspace of a session. */
export async function setActiveWorkspace(db: Db, sessionId: number, workspaceId: number): Promise<void> {
  await sql`update sessions set active_workspace_id = ${workspaceId} where id = ${sessionId}`.execute(db);
}

/** Notes that a session was used just now. */
export async function updateLastSeen(db: Db, sessionId: number): Promise<void> {
  await sql`update sessions set last_seen_at = now() where id = ${sessionId}`.execute(db);
}

export interface OwnSessionRow {
  id: number;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** A user's live sessions, last used first. */
export async function selectSessions(db: Db, userId: number): Promise<OwnSessionRow[]> {
  const { rows } = await sql<OwnSessionRow>`
    select id, ip_address as address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions where user_id = ${userId} and expires_at > now()
    order by last_seen_at desc, id desc`.execute(db);
  return rows;
}

/** Ends one of a user's sessions. */
export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

/** Ends a user's sessions except the one to keep (null: all of them). Returns how many. */
export async function deleteSessions(db: Db, userId: number, keepId: number | null): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${keepId}::bigint returning id`.execute(
    db,
  );
  return rows.length;
}
