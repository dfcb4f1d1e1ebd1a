import { sql } from 'kysely';
import { providerId } from '#features/sign-in/rules/provider.ts';
import type { SystemDb } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';

export interface MemberRow {
  id: number;
  userId: number;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
  /**
   * They have a code beside the password, or no password: then the identity provider is
   * responsible.
   */
  twoFactor: boolean;
}

/** The members of a workspace, highest role first; only one of them if an id is given. */
export async function selectMembers(
  db: SystemDb,
  workspaceId: number,
  memberId: number | null = null,
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.user_id as "userId", u.name, u.email, m.role, m.created_at as "joinedAt",
           m.last_seen_at as "lastSeenAt",
           u.two_factor_enabled or coalesce(
             (select bool_and(a.provider_id = ${providerId}) from accounts a where a.user_id = u.id), false) as "twoFactor"
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and (${memberId}::bigint is null or m.id = ${memberId}::bigint)
    order by array_position(array['owner', 'admin', 'sender', 'editor', 'viewer'], m.role), lower(u.name), m.id`.execute(
    db,
  );
  return rows;
}

/** Changes a member's role. */
export async function updateRole(
  db: SystemDb,
  workspaceId: number,
  memberId: number,
  role: Role,
): Promise<void> {
  await sql`
    update members set role = ${role} where workspace_id = ${workspaceId} and id = ${memberId}`.execute(db);
}

/** Takes a person out of a workspace. */
export async function deleteMember(db: SystemDb, workspaceId: number, memberId: number): Promise<void> {
  await sql`delete from members where workspace_id = ${workspaceId} and id = ${memberId}`.execute(db);
}

/** Adds a person to a workspace. Does nothing when they are already there. */
export async function insertMember(
  db: SystemDb,
  workspaceId: number,
  userId: number,
  role: Role,
): Promise<boolean> {
  const { rows } = await sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, ${role})
    on conflict (workspace_id, user_id) do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** Whether somebody with this address is already a member. */
export async function isMemberAddress(db: SystemDb, workspaceId: number, email: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.email = ${email}`.execute(db);
  return rows.length > 0;
}

/** Whether an account has this address, and its owner has confirmed it. */
export async function isConfirmedAddress(db: SystemDb, email: string): Promise<boolean> {
  const { rows } = await sql`select from users where email = ${email} and email_verified`.execute(db);
  return rows.length > 0;
}

/**
 * The addresses of everybody in a workspace, or those alone that their owners have confirmed: where
 * anybody may sign up, anybody may name the address of a stranger.
 */
export async function memberAddresses(
  db: SystemDb,
  workspaceId: number,
  { confirmed = false } = {},
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and (u.email_verified or not ${confirmed})`.execute(db);
  return rows.map(({ email }) => email);
}

/** Notes that a person was at work in this workspace just now. */
export async function markAtWork(db: SystemDb, userId: number, workspaceId: number): Promise<void> {
  await sql`
    update members set last_seen_at = now()
    where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db);
}
