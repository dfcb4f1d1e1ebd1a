import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';
import { invitingProblem } from '../rules.ts';

export interface InvitationRow {
  id: number;
  workspaceId: number;
  email: string;
  role: Role;
  invitedBy: string;
  /** The role that the inviter has there now; null for one who is suspended or no member. */
  inviterRole: Role | null;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
}

const invitationColumns = sql`
  i.id, i.workspace_id as "workspaceId", i.email, i.role, u.name as "invitedBy",
  case when u.suspended_at is null then m.role end as "inviterRole",
  i.created_at as "createdAt", i.sent_at as "sentAt", i.expires_at as "expiresAt"`;

const invitationsWithInviter = sql`
  invitations i join users u on u.id = i.inviter_id
  left join members m on m.workspace_id = i.workspace_id and m.user_id = i.inviter_id`;

/**
 * Leaves out invitations whose inviter may not give that role any more. The inviter's role is read
 * with them, so that no copy of it can be old: docs/decisions/0030-key-holders.md.
 */
const standing = <Row extends InvitationRow>(rows: readonly Row[]): Row[] =>
  rows.filter(({ inviterRole, role }) => inviterRole !== null && invitingProblem(inviterRole, role) === null);

/** Invitations that stand and that nobody has answered, newest first. */
export async function selectInvitations(db: SystemDb, workspaceId: number): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns}
    from ${invitationsWithInviter}
    where i.workspace_id = ${workspaceId} and i.status = 'pending'
    order by i.id desc`.execute(db);
  return standing(rows);
}

/** What somebody has invited to, as far as nobody has answered it. */
export async function selectInvitationsFrom(
  db: SystemDb,
  workspaceId: number,
  inviterId: number,
): Promise<{ id: number; role: Role }[]> {
  const { rows } = await sql<{ id: number; role: Role }>`
    select id, role from invitations
    where workspace_id = ${workspaceId} and inviter_id = ${inviterId} and status = 'pending'
    order by id`.execute(db);
  return rows;
}

/**
 * The open, standing invitation that this link's secret belongs to, and whether its address has an
 * account.
 */
export async function selectInvitationBySecret(
  db: SystemDb,
  hash: Buffer,
): Promise<(InvitationRow & { workspace: string; hasAccount: boolean }) | undefined> {
  const { rows } = await sql<InvitationRow & { workspace: string; hasAccount: boolean }>`
    select ${invitationColumns}, w.name as workspace,
           exists (select 1 from users a where a.email = i.email) as "hasAccount"
    from ${invitationsWithInviter} join workspaces w on w.id = i.workspace_id
    where i.token_hash = ${hash} and i.status = 'pending'`.execute(db);
  return standing(rows)[0];
}

/** The roles that open invitations with these secrets let in with. */
export async function selectRolesBySecret(
  db: SystemDb,
  workspaceId: number,
  hashes: readonly Buffer[],
): Promise<{ hash: Buffer; role: Role }[]> {
  const { rows } = await sql<{ hash: Buffer; role: Role }>`
    select token_hash as hash, role from invitations
    where workspace_id = ${workspaceId} and token_hash = any(${hashes}::bytea[]) and status = 'pending'`.execute(
    db,
  );
  return rows;
}

/**
 * Makes an invitation, or renews the open one for the same address: its role, link and end. The
 * stored row is decisive, so two people who invite the same person at once get the same result.
 */
export async function upsertInvitation(
  db: SystemDb,
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

/** Ends an open invitation, so that its link stops working. Returns whose it was. */
export async function endInvitation(
  db: SystemDb,
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

/**
 * The open, standing, still valid invitations to an address, newest first. Each says whether it was
 * sent after it was last seen.
 */
export async function selectInvitationsTo(
  db: SystemDb,
  email: string,
): Promise<(InvitationRow & { workspace: string; isNew: boolean })[]> {
  const { rows } = await sql<InvitationRow & { workspace: string; isNew: boolean }>`
    select ${invitationColumns}, w.name as workspace, (i.seen_at is null or i.seen_at < i.sent_at) as "isNew"
    from ${invitationsWithInviter} join workspaces w on w.id = i.workspace_id
    where i.email = ${email} and i.status = 'pending' and i.expires_at > now()
    order by i.sent_at desc, i.id desc`.execute(db);
  return standing(rows);
}

/** Notes that the person with this address has seen the open invitations to it. */
export async function markInvitationsSeen(db: SystemDb, email: string): Promise<void> {
  await sql`
    update invitations set seen_at = now()
    where email = ${email} and status = 'pending' and (seen_at is null or seen_at < sent_at)`.execute(db);
}

/** Whether this address has an open invitation. */
export async function hasPendingInvitation(db: SystemDb, email: string): Promise<boolean> {
  return (await selectInvitationsTo(db, email.toLowerCase())).length > 0;
}
