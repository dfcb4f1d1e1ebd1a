import { sql } from 'kysely';
import type { Role } from '#platform/shared/contract.ts';
import { providerId } from './provider-queries.ts';
import type { Db } from './queries.ts';

export interface WorkspaceRow {
  id: number;
  name: string;
  role: Role;
  members: number;
  /** The address of who has owned it longest. */
  owner: string | null;
}

/** The workspaces a person belongs to, the one they have belonged to longest first. */
export async function selectWorkspaces(db: Db, userId: number): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    select w.id, w.name, m.role, (select count(*) from members o where o.workspace_id = w.id) as members,
      (select u.email from members o join users u on u.id = o.user_id
       where o.workspace_id = w.id and o.role = 'owner' order by o.id limit 1) as owner
    from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId}
    order by m.id`.execute(db);
  return rows;
}

/** How many workspaces a person owns. */
export async function countOwned(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from members where user_id = ${userId} and role = 'owner'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Gives a workspace another name. */
export async function updateWorkspaceName(db: Db, workspaceId: number, name: string): Promise<void> {
  await sql`update workspaces set name = ${name} where id = ${workspaceId}`.execute(db);
}

/** Sets whether members need two-factor sign-in; false: it was so already. */
export async function updateTwoFactorRule(db: Db, workspaceId: number, required: boolean): Promise<boolean> {
  const { rows } = await sql`
    update workspaces set requires_two_factor = ${required}
    where id = ${workspaceId} and requires_two_factor <> ${required} returning id`.execute(db);
  return rows.length > 0;
}

/** Holds back every other change of a workspace's members until the transaction ends; answers its name. */
export async function lockWorkspace(db: Db, workspaceId: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from workspaces where id = ${workspaceId} for no key update`.execute(db);
  return rows[0]?.name ?? null;
}

export interface MemberRow {
  id: number;
  userId: number;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
  /** A code beside the password, or no password: then the identity provider sees to it. */
  twoFactor: boolean;
}

/** The members of a workspace, those who may do most first; one of them where an id is given. */
export async function selectMembers(
  db: Db,
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
export async function updateRole(db: Db, workspaceId: number, memberId: number, role: Role): Promise<void> {
  await sql`
    update members set role = ${role} where workspace_id = ${workspaceId} and id = ${memberId}`.execute(db);
}

/** Takes a person out of a workspace. */
export async function deleteMember(db: Db, workspaceId: number, memberId: number): Promise<void> {
  await sql`delete from members where workspace_id = ${workspaceId} and id = ${memberId}`.execute(db);
}

/** Puts a person into a workspace; does nothing when they are there already. */
export async function insertMember(
  db: Db,
  workspaceId: number,
  userId: number,
  role: Role,
): Promise<boolean> {
  const { rows } = await sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, ${role})
    on conflict (workspace_id, user_id) do nothing returning id`.execute(db);
  return rows.length > 0;
}

export interface InvitationRow {
  id: number;
  workspaceId: number;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
}

const invitationColumns = sql`
  i.id, i.workspace_id as "workspaceId", i.email, i.role, u.name as "invitedBy", i.created_at as "createdAt",
  i.sent_at as "sentAt", i.expires_at as "expiresAt"`;

/** Invitations that nobody has answered, newest first. */
export async function selectInvitations(db: Db, workspaceId: number): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns}
    from invitations i join users u on u.id = i.inviter_id
    where i.workspace_id = ${workspaceId} and i.status = 'pending'
    order by i.id desc`.execute(db);
  return rows;
}

/** The open invitation that this link's secret belongs to, and whether its address has an account. */
export async function selectInvitationBySecret(
  db: Db,
  hash: Buffer,
): Promise<(InvitationRow & { workspace: string; hasAccount: boolean }) | undefined> {
  const { rows } = await sql<InvitationRow & { workspace: string; hasAccount: boolean }>`
    select ${invitationColumns}, w.name as workspace,
           exists (select 1 from users a where a.email = i.email) as "hasAccount"
    from invitations i join users u on u.id = i.inviter_id join workspaces w on w.id = i.workspace_id
    where i.token_hash = ${hash} and i.status = 'pending'`.execute(db);
  return rows[0];
}

/**
 * Makes an invitation, or renews the open one for the same address: its role, link and end. Its row is then the last word, so
 * that two who invite the same person at once agree.
 */
export async function upsertInvitation(
  db: Db,
  invitation: {
    workspaceId: number;
    email: string;
    role: Role;
    inviterId: number;
    hash: Buffer;
    days: number;
  },
): Promise<number> {
  const { workspaceId, email, role, inviterId, hash, days } = invitation;
  const { rows } = await sql<{ id: number }>`
    insert into invitations (workspace_id, email, role, inviter_id, token_hash, expires_at)
    values (${workspaceId}, ${email}, ${role}, ${inviterId}, ${hash}, now() + make_interval(days => ${days}))
    on conflict (workspace_id, email) where status = 'pending' do update set
      role = excluded.role, inviter_id = excluded.inviter_id, token_hash = excluded.token_hash,
      expires_at = excluded.expires_at, sent_at = now()
    returning id`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('an invitation was kept without an id');
  return row.id;
}

/** Ends an open invitation; answers whose it was. Its link stops working. */
export async function endInvitation(
  db: Db,
  workspaceId: number,
  id: number,
  status: 'accepted' | 'rejected' | 'canceled',
): Promise<{ email: string; role: Role } | undefined> {
  const { rows } = await sql<{ email: string; role: Role }>`
    update invitations set status = ${status}, token_hash = null
    where workspace_id = ${workspaceId} and id = ${id} and status = 'pending'
    returning email, role`.execute(db);
  return rows[0];
}

/** Whether somebody with this address is a member already. */
export async function isMemberAddress(db: Db, workspaceId: number, email: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.email = ${email}`.execute(db);
  return rows.length > 0;
}

/** The open invitations to an address that still hold, newest first, each with whether it was sent since it was last seen. */
export async function selectInvitationsTo(
  db: Db,
  email: string,
): Promise<(InvitationRow & { workspace: string; isNew: boolean })[]> {
  const { rows } = await sql<InvitationRow & { workspace: string; isNew: boolean }>`
    select ${invitationColumns}, w.name as workspace, (i.seen_at is null or i.seen_at < i.sent_at) as "isNew"
    from invitations i join users u on u.id = i.inviter_id join workspaces w on w.id = i.workspace_id
    where i.email = ${email} and i.status = 'pending' and i.expires_at > now()
    order by i.sent_at desc, i.id desc`.execute(db);
  return rows;
}

/** Notes that the person with this address has seen the open invitations to it. */
export async function markInvitationsSeen(db: Db, email: string): Promise<void> {
  await sql`
    update invitations set seen_at = now()
    where email = ${email} and status = 'pending' and (seen_at is null or seen_at < sent_at)`.execute(db);
}
