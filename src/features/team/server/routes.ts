import { nameProblem } from '#features/sign-in/rules.ts';
import { type SignIn, workIn } from '#features/sign-in/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  acceptInvitation,
  changeRole,
  createWorkspace,
  declineInvitation,
  getInvitation,
  invite,
  inviteSeveral,
  leaveWorkspace,
  listInvitations,
  listMembers,
  listWorkspaces,
  removeMember,
  renameWorkspace,
  requireTwoFactor,
  resendInvitation,
  revokeInvitation,
  switchWorkspace,
  transferOwnership,
  type Workspace,
} from '../contract.ts';
import { mostWorkspaces } from '../rules.ts';
import {
  accept,
  decline,
  invitations,
  openInvitation,
  resend,
  revoke,
  sendInvitation,
} from './invitations.ts';
import { actorOf, expel, giveRole, handOver, leave, members, rename, type TeamParts } from './members.ts';
import { registerOwnInvitations } from './own-invitations.ts';
import { setTwoFactorRule } from './security.ts';
import { sendInvitations } from './send-invitations.ts';
import { countOwned, selectWorkspaces } from './workspace-queries.ts';
import { makeWorkspace, type Workspaces } from './workspaces.ts';

export interface TeamOptions extends Omit<TeamParts, 'providerOnly'> {
  signIn: SignIn;
  workspaces: Workspaces;
}

type TeamRouteParts = TeamOptions & TeamParts;

export function registerTeam(router: Router, options: TeamOptions): void {
  const parts = { ...options, providerOnly: options.signIn.providerOnly };
  registerWorkspaces(router, parts);
  registerMembers(router, parts);
  registerInvitations(router, parts);
  registerOwnInvitations(router, parts);
}

function nameOf(name: string): string {
  const trimmed = name.trim();
  const problem = nameProblem(trimmed);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
  return trimmed;
}

function registerWorkspaces(router: Router, parts: TeamRouteParts): void {
  const { db, signIn, workspaces } = parts;
  const own = async (userId: string, currentId: number): Promise<Workspace[]> => {
    const rows = await selectWorkspaces(db.system, Number(userId));
    return rows.map((row) => ({ ...row, current: row.id === currentId }));
  };
  const one = async (userId: string, id: number): Promise<Workspace> => {
    const found = (await own(userId, id)).find((workspace) => workspace.id === id);
    if (!found) throw new AppError('not_found', 'There is no such workspace among yours.');
    return found;
  };

  router.handle(listWorkspaces, ({ caller }) => own(caller.userId, caller.workspace?.id ?? 0));

  router.handle(createWorkspace, async ({ caller, body, request }) => {
    const name = nameOf(body.name);
    const userId = Number(caller.userId);
    if ((await countOwned(db.system, userId)) >= mostWorkspaces) {
      throw new AppError('conflict', `One person can own at most ${mostWorkspaces} workspaces.`);
    }
    const id = await makeWorkspace(db, { name, userId, actor: caller.email });
    await workspaces.announce(id, userId);
    const session = await signIn.sessionOf(request);
    if (session) await workIn(db.system, session.sessionId, id);
    return one(caller.userId, id);
  });

  router.handle(switchWorkspace, async ({ caller, body, request }) => {
    const found = await one(caller.userId, body.id);
    const session = await signIn.sessionOf(request);
    if (session) await workIn(db.system, session.sessionId, found.id);
    return found;
  });

  router.handle(renameWorkspace, async (call) => {
    await rename(parts, actorOf(call), nameOf(call.body.name));
    return one(call.caller.userId, call.workspaceId);
  });
}

function registerMembers(router: Router, parts: TeamRouteParts): void {
  router.handle(listMembers, (call) => members(parts, actorOf(call)));
  router.handle(changeRole, (call) => giveRole(parts, actorOf(call), call.params.id, call.body));
  router.handle(removeMember, async (call) => {
    const apiKeys = await expel(parts, actorOf(call), call.params.id, call.query.apiKeys);
    return { removed: 1 as const, apiKeys };
  });
  router.handle(requireTwoFactor, (call) =>
    setTwoFactorRule(parts, actorOf(call), call.body.requireTwoFactor),
  );
  router.handle(leaveWorkspace, async (call) => {
    await leave(parts, actorOf(call));
    return { left: true as const };
  });
  router.handle(transferOwnership, async (call) => {
    await parts.signIn.passwords.insistOn(call, call.body.password);
    return handOver(parts, actorOf(call), call.body.memberId);
  });
}

function registerInvitations(router: Router, parts: TeamRouteParts): void {
  const { db, signIn } = parts;
  router.handle(listInvitations, (call) => invitations(parts, actorOf(call)));
  router.handle(invite, (call) => {
    call.reply.header('cache-control', 'no-store');
    return sendInvitation(parts, actorOf(call), call.body);
  });
  router.handle(inviteSeveral, (call) => {
    call.reply.header('cache-control', 'no-store');
    return sendInvitations(parts, actorOf(call), call.body);
  });
  router.handle(resendInvitation, (call) => {
    call.reply.header('cache-control', 'no-store');
    return resend(parts, actorOf(call), call.params.id);
  });
  router.handle(revokeInvitation, async (call) => {
    await revoke(parts, actorOf(call), call.params.id);
    return { revoked: 1 as const };
  });
  router.handle(getInvitation, async ({ params, reply }) => {
    reply.header('cache-control', 'no-store');
    const { workspace, email, role, invitedBy, expiresAt, expired, hasAccount } = await openInvitation(
      parts,
      params.token,
    );
    return { workspace, email, role, invitedBy, expiresAt: expiresAt.toISOString(), expired, hasAccount };
  });
  router.handle(acceptInvitation, async ({ params, caller, request }) => {
    const { userId, email, name } = caller;
    const id = await accept(parts, { userId: Number(userId), email, name }, params.token);
    const session = await signIn.sessionOf(request);
    if (session) await workIn(db.system, session.sessionId, id);
    const joined = (await selectWorkspaces(db.system, Number(userId))).find((row) => row.id === id);
    if (!joined) throw new AppError('gone', 'You have been removed from this workspace meanwhile.');
    return { ...joined, current: true };
  });
  router.handle(declineInvitation, async ({ params }) => {
    await decline(parts, params.token);
    return { declined: true as const };
  });
}
