import { selectChoices } from '#features/activities/server/index.ts';
import { type SignIn, workIn } from '#features/sign-in/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
  seeOwnInvitations,
  type WaitingInvitation,
} from '../contract.ts';
import { type InvitationRow, markInvitationsSeen, selectInvitationsTo } from './invitation-queries.ts';
import { join, sayNo } from './invitations.ts';
import type { TeamParts } from './members.ts';
import { selectWorkspaces } from './workspace-queries.ts';

type SessionRow = NonNullable<Awaited<ReturnType<SignIn['sessionOf']>>>;

interface Parts extends TeamParts {
  signIn: Pick<SignIn, 'sessionOf'>;
}

/**
 * Invitations as the invited person sees them, without the mail's link. Here the address itself
 * lets people in, so it must be proven: anybody can sign up with somebody else's. Without proof,
 * people only learn that something waits.
 */
export function registerOwnInvitations(router: Router, parts: Parts): void {
  const { db, signIn } = parts;
  const { sessionOf } = signIn;

  router.handle(listOwnInvitations, async ({ caller, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const rows = await selectInvitationsTo(db.system, caller.email);
    if (!isProven(await sessionOf(request))) return { items: [], unread: 0, waitsForProof: rows.length > 0 };
    const { invitations: rings } = await selectChoices(db.system, Number(caller.userId));
    const items = rows.map((row) => shownToGuest({ ...row, isNew: row.isNew && rings }));
    return { items, unread: items.filter(({ isNew }) => isNew).length, waitsForProof: false };
  });

  router.handle(seeOwnInvitations, async ({ caller, request }) => {
    if (isProven(await sessionOf(request))) await markInvitationsSeen(db.system, caller.email);
    return { unread: 0 };
  });

  router.handle(acceptOwnInvitation, async ({ caller, params, request }) => {
    const session = await sessionOf(request);
    const { userId, email, name } = caller;
    const found = await ownInvitation(parts, session, params.id);
    const id = await join(parts, { userId: Number(userId), email, name }, found);
    if (session) await workIn(db.system, session.sessionId, id);
    const joined = (await selectWorkspaces(db.system, Number(userId))).find((row) => row.id === id);
    if (!joined) throw new AppError('gone', 'You have been removed from this workspace meanwhile.');
    return { ...joined, current: true };
  });

  router.handle(declineOwnInvitation, async ({ params, request }) => {
    await sayNo(parts, await ownInvitation(parts, await sessionOf(request), params.id));
    return { declined: true as const };
  });
}

const isProven = (session: SessionRow | null): session is SessionRow => session?.emailVerified === true;

/**
 * Another person's invitation gets the same answer as one that does not exist. So does the caller's
 * own, until the address is proven.
 */
async function ownInvitation({ db }: Parts, session: SessionRow | null, id: number): Promise<InvitationRow> {
  const rows = isProven(session) ? await selectInvitationsTo(db.system, session.email) : [];
  const found = rows.find((row) => row.id === id);
  if (!found) {
    throw new AppError(
      'not_found',
      'There is no such open invitation to you. It may have been answered, taken back, or have run out.',
    );
  }
  return found;
}

function shownToGuest(row: InvitationRow & { workspace: string; isNew: boolean }): WaitingInvitation {
  const { id, workspace, role, invitedBy, sentAt, expiresAt, isNew } = row;
  return {
    id,
    workspace,
    role,
    invitedBy,
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isNew,
  };
}
