import { recordActivity } from '#features/activities/server/index.ts';
import { keysByHolder, revokeKeysOf, takeOverKeysOf } from '#features/api-keys/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { Mailer } from '#features/mail/server/index.ts';
import { answersCall, type Database, type SystemDb, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { Role } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Member } from '../contract.ts';
import { changeProblem } from '../rules.ts';
import { endInvitationsOf } from './end-invitations.ts';
import { deleteMember, type MemberRow, selectMembers, updateRole } from './member-queries.ts';
import { tellMember } from './tell-member.ts';
import { lockWorkspace, updateWorkspaceName } from './workspace-queries.ts';

/** What a team's calls need: the database, and the mailer for telling people. */
export interface TeamParts {
  db: Database;
  mail: Mailer;
  /**
   * Nobody signs in with a password: the identity provider is responsible for everybody's second
   * factor.
   */
  providerOnly: boolean;
}

/**
 * The member who makes the call. Their role may have changed since the call came in, so it is read
 * again under the lock.
 */
export interface Actor {
  workspaceId: number;
  userId: number;
  email: string;
  name: string;
}

export const actorOf = ({ workspaceId, caller }: { workspaceId: number; caller: Caller }): Actor => ({
  workspaceId,
  userId: Number(caller.userId),
  email: caller.email,
  name: caller.name,
});

export async function members(parts: TeamParts, actor: Actor): Promise<Member[]> {
  const { db } = parts;
  const rows = await membersIn(parts, db.system, actor.workspaceId);
  const keys = await db.asTenant(actor.workspaceId, (tx) => keysByHolder(tx, actor.workspaceId));
  return rows.map((row) => shownMember(row, actor, keys.get(row.userId)));
}

async function membersIn(
  { providerOnly }: TeamParts,
  db: SystemDb,
  workspaceId: number,
): Promise<MemberRow[]> {
  const rows = await selectMembers(db, workspaceId);
  return providerOnly ? rows.map((row) => ({ ...row, twoFactor: true })) : rows;
}

function shownMember({ userId, joinedAt, lastSeenAt, ...row }: MemberRow, actor: Actor, apiKeys = 0): Member {
  return {
    ...row,
    apiKeys,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    isYou: userId === actor.userId,
  };
}

export interface Team {
  workspace: string;
  rows: MemberRow[];
  /** The actor, as they are now. */
  self: MemberRow;
  owners: number;
}

/** The team, with its lock held: two owners cannot remove each other at the same moment. */
export async function lockTeam(parts: TeamParts, tx: TenantTx, actor: Actor): Promise<Team> {
  const workspace = await lockWorkspace(tx, actor.workspaceId);
  const rows = await membersIn(parts, tx, actor.workspaceId);
  const self = rows.find(({ userId }) => userId === actor.userId);
  if (workspace === null || !self)
    throw new AppError('forbidden', 'You do not belong to this workspace any more.');
  return { workspace, rows, self, owners: rows.filter(({ role }) => role === 'owner').length };
}

function memberIn({ rows }: Team, id: number): MemberRow {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new AppError('not_found', 'This member is not there any more. Reload the list.');
  return found;
}

function insist(problem: string | null): void {
  if (problem !== null) throw new AppError('forbidden', problem);
}

export async function giveRole(
  parts: TeamParts,
  actor: Actor,
  id: number,
  { role, apiKeys }: { role: Role; apiKeys: 'keep' | 'take_over' },
): Promise<Member> {
  return parts.db.asTenant(actor.workspaceId, async (tx) => {
    const team = await lockTeam(parts, tx, actor);
    const target = memberIn(team, id);
    const { role: from } = target;
    const change = {
      actor: team.self.role,
      from,
      to: role,
      owners: team.owners,
      self: target.id === team.self.id,
    };
    insist(changeProblem(change));
    if (from !== role) {
      await updateRole(tx, actor.workspaceId, id, role);
      await recordAudit(tx, actor.workspaceId, {
        actor: actor.email,
        action: 'member.role_changed',
        subject: `member:${id}`,
        details: { email: target.email, from, to: role },
      });
      await endInvitationsOf(tx, actor, target, role);
    }
    if (apiKeys === 'take_over' && !change.self) await takeOverKeysOf(tx, actor.workspaceId, target, actor);
    const keys = await keysByHolder(tx, actor.workspaceId);
    return shownMember({ ...target, role }, actor, keys.get(target.userId));
  });
}

/** Returns how many API keys were revoked or taken over with the member. */
export async function expel(
  parts: TeamParts,
  actor: Actor,
  id: number,
  apiKeys: 'revoke' | 'take_over',
): Promise<number> {
  const { db, mail } = parts;
  const keys = await db.asTenant(actor.workspaceId, async (tx) => {
    const team = await lockTeam(parts, tx, actor);
    const target = memberIn(team, id);
    const self = target.id === team.self.id;
    insist(changeProblem({ actor: team.self.role, from: target.role, to: null, owners: team.owners, self }));
    await takeOut(tx, actor, target, self ? 'left' : 'removed');
    const settle = apiKeys === 'take_over' && !self ? takeOverKeysOf : revokeKeysOf;
    const settled = await settle(tx, actor.workspaceId, target, actor);
    if (self) return settled;
    await tellMember(tx, mail, {
      to: target.email,
      kind: 'notice',
      workspaceId: actor.workspaceId,
      subject: `You no longer belong to ${team.workspace}`,
      content: {
        title: `You no longer belong to ${team.workspace}`,
        paragraphs: [`${actor.name} (${actor.email}) removed you from the workspace ${team.workspace}.`],
        reason: 'You get this mail because you were a member. Your account stays as it is.',
      },
    });
    return settled;
  });
  mail.hurry();
  return keys;
}

export async function leave(parts: TeamParts, actor: Actor): Promise<void> {
  await parts.db.asTenant(actor.workspaceId, async (tx) => {
    const { self, owners } = await lockTeam(parts, tx, actor);
    insist(changeProblem({ actor: self.role, from: self.role, to: null, owners, self: true }));
    await takeOut(tx, actor, self, 'left');
    await revokeKeysOf(tx, actor.workspaceId, self, actor);
  });
}

async function takeOut(
  tx: TenantTx,
  actor: Actor,
  target: MemberRow,
  how: 'left' | 'removed',
): Promise<void> {
  await deleteMember(tx, actor.workspaceId, target.id);
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: `member.${how}`,
    subject: `member:${target.id}`,
    details: { email: target.email, role: target.role },
  });
  await endInvitationsOf(tx, actor, target, null);
  await recordActivity(tx, actor.workspaceId, {
    action: how === 'left' ? 'Member Left' : 'Member Removed',
    details: `${target.name} (${target.email})`,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor: actor.email,
  });
}

/** Hands the workspace over. The caller has confirmed that it is them. */
export async function handOver(parts: TeamParts, actor: Actor, memberId: number): Promise<Member> {
  const { db, mail } = parts;
  const work = async (tx: TenantTx) => {
    const team = await lockTeam(parts, tx, actor);
    const target = memberIn(team, memberId);
    if (team.self.role !== 'owner')
      throw new AppError('forbidden', 'Only an owner can hand the workspace over.');
    if (target.id === team.self.id) throw new AppError('invalid_input', 'The workspace is yours already.');
    await updateRole(tx, actor.workspaceId, target.id, 'owner');
    await updateRole(tx, actor.workspaceId, team.self.id, 'admin');
    await recordAudit(tx, actor.workspaceId, {
      actor: actor.email,
      action: 'workspace.handed_over',
      subject: `member:${target.id}`,
      details: { email: target.email, by: actor.email },
    });
    await endInvitationsOf(tx, actor, team.self, 'admin');
    await recordActivity(tx, actor.workspaceId, {
      action: 'Ownership Transferred',
      details: `${target.name} (${target.email}) owns the workspace now`,
      status: 'completed',
      icon: 'user-check',
      iconColor: 'primary',
      actor: actor.email,
    });
    await tellMember(tx, mail, {
      to: target.email,
      kind: 'notice',
      workspaceId: actor.workspaceId,
      subject: `You are now the owner of ${team.workspace}`,
      content: {
        title: `You are now the owner of ${team.workspace}`,
        paragraphs: [`${actor.name} (${actor.email}) handed the workspace ${team.workspace} over to you.`],
        button: { label: 'Open the team', url: `${mail.publicUrl}/team` },
        reason: 'You get this mail because you are a member of the workspace.',
      },
    });
    const keys = await keysByHolder(tx, actor.workspaceId);
    return shownMember({ ...target, role: 'owner' }, actor, keys.get(target.userId));
  };
  const member = await db.asTenant(actor.workspaceId, work, answersCall);
  mail.hurry();
  return member;
}

/** The name has been checked. */
export async function rename({ db }: TeamParts, actor: Actor, name: string): Promise<void> {
  await db.asTenant(actor.workspaceId, async (tx) => {
    const before = await lockWorkspace(tx, actor.workspaceId);
    if (before === name) return;
    await updateWorkspaceName(tx, actor.workspaceId, name);
    await recordAudit(tx, actor.workspaceId, {
      actor: actor.email,
      action: 'workspace.renamed',
      subject: 'workspace',
      details: { from: before, to: name },
    });
  });
}
