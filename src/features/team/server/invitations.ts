import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { LinksHidden } from '#features/mail/server/index.ts';
import { mailsTo } from '#features/sign-in/rules.ts';
import { limitAttempts } from '#features/sign-in/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { newSecret, secretHash } from '#platform/server/secret-link.ts';
import type { Role } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Invitation } from '../contract.ts';
import { invitationDays, invitingProblem } from '../rules.ts';
import {
  endInvitation,
  type InvitationRow,
  selectInvitationBySecret,
  selectInvitations,
  selectRolesBySecret,
  upsertInvitation,
} from './invitation-queries.ts';
import { insertMember, isMemberAddress, selectMembers } from './member-queries.ts';
import type { Actor, TeamParts } from './members.ts';
import { lockWorkspace } from './workspace-queries.ts';

const hour = 3_600_000;
/** Each is a mail to somebody who did not ask for it. */
const mostInvitationsAnHour = 60;
/** One person may own several workspaces. */
const mostOfOnePerson = 120;

/** What is before the secret in a link, behind the product's address. */
const linkPath = '/invitation/';

type Sent = Invitation & { link: string; mailed: boolean };

const isOver = (row: InvitationRow): boolean => row.expiresAt.getTime() <= Date.now();

function shown({
  workspaceId: _,
  inviterRole: __,
  createdAt,
  sentAt,
  expiresAt,
  ...row
}: InvitationRow): Invitation {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    expired: expiresAt.getTime() <= Date.now(),
  };
}

export async function invitations({ db }: TeamParts, actor: Actor): Promise<Invitation[]> {
  return (await selectInvitations(db.system, actor.workspaceId)).map(shown);
}

/** Invites an address. If it is already invited, sends the invitation again with this role. */
export async function sendInvitation(
  parts: TeamParts,
  actor: Actor,
  { email, role }: { email: string; role: Role },
): Promise<Sent> {
  const { workspaceId, userId } = actor;
  const limits = [
    { kind: 'invite', who: String(workspaceId), most: mostInvitationsAnHour, windowMs: hour },
    { kind: 'invite-from', who: String(userId), most: mostOfOnePerson, windowMs: hour },
    mailsTo('invitation', email),
  ];
  for (const limit of limits) await limitAttempts(parts.db.system, limit);
  const sent = await parts.db.asTenant(workspaceId, (tx) => inviteIn(tx, parts, actor, { email, role }));
  parts.mail.hurry();
  return sent;
}

async function inviteIn(
  tx: TenantTx,
  { mail }: TeamParts,
  actor: Actor,
  { email, role }: { email: string; role: Role },
): Promise<Sent> {
  const { workspaceId } = actor;
  const workspace = (await lockWorkspace(tx, workspaceId)) ?? '';
  const problem = invitingProblem(await roleNow(tx, actor), role);
  if (problem !== null) throw new AppError('forbidden', problem, { fields: { role: problem } });
  if (await isMemberAddress(tx, workspaceId, email)) {
    const message = 'This person is a member already.';
    throw new AppError('already_exists', message, { fields: { email: message } });
  }
  const { secret, hash } = newSecret();
  const id = await upsertInvitation(tx, {
    workspaceId,
    email,
    role,
    inviterId: actor.userId,
    hash,
    days: invitationDays,
  });
  const link = `${mail.publicUrl}${linkPath}${secret}`;
  await mail.send(tx, {
    to: email,
    kind: 'invitation',
    workspaceId,
    subject: `${actor.name} invites you to ${workspace} in Email Manager`,
    content: {
      title: `Join ${workspace}`,
      paragraphs: [
        `${actor.name} (${actor.email}) invites you to the workspace ${workspace} in Email Manager, as ${role}.`,
        `The invitation holds for ${invitationDays} days.`,
      ],
      button: { label: 'See the invitation', url: link },
      reason: 'You get this mail because somebody typed your address. If you do not know them, do nothing.',
    },
  });
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'invitation.sent',
    subject: `invitation:${id}`,
    details: { email, role },
  });
  const row = (await selectInvitations(tx, workspaceId)).find((one) => one.id === id);
  if (!row) throw new Error('an invitation is gone in its own transaction');
  return { ...shown(row), link, mailed: mail.hasMailServer };
}

/** The actor's role, read under the lock. */
async function roleNow(tx: TenantTx, actor: Actor): Promise<Role> {
  const self = (await selectMembers(tx, actor.workspaceId)).find(({ userId }) => userId === actor.userId);
  if (!self) throw new AppError('forbidden', 'You do not belong to this workspace any more.');
  return self.role;
}

const goneForGuest =
  'This invitation is not open any more. It may have been answered or taken back, or whoever sent it may not invite any more.';
const goneWords = 'This invitation is not open any more. Reload the list.';

export async function resend(parts: TeamParts, actor: Actor, id: number): Promise<Sent> {
  const row = (await selectInvitations(parts.db.system, actor.workspaceId)).find((one) => one.id === id);
  if (!row) throw new AppError('not_found', goneWords);
  return sendInvitation(parts, actor, row);
}

/**
 * Whoever reads a link can come in with it: they sign up with the invited address, which need not
 * be confirmed.
 */
export const linksHidden: LinksHidden = async (db, { workspaceId, role }, links) => {
  const byHash = new Map(links.map((link) => [secretHash(secretOf(link)).toString('hex'), link]));
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const open = await selectRolesBySecret(db, workspaceId, hashes);
  const beyond = open.filter((one) => invitingProblem(role, one.role) !== null);
  return new Set(beyond.flatMap(({ hash }) => byHash.get(hash.toString('hex')) ?? []));
};

const secretOf = (link: string): string => link.split(linkPath).at(-1) ?? '';

export async function revoke({ db }: TeamParts, actor: Actor, id: number): Promise<void> {
  await db.asTenant(actor.workspaceId, async (tx) => {
    const ended = await endInvitation(tx, actor.workspaceId, id, 'canceled');
    if (!ended) throw new AppError('not_found', goneWords);
    await recordAudit(tx, actor.workspaceId, {
      actor: actor.email,
      action: 'invitation.revoked',
      subject: `invitation:${id}`,
      details: ended,
    });
  });
}

/** What a link opens. Throws `not_found` when it opens nothing (any more). */
export async function openInvitation({ db }: TeamParts, secret: string) {
  const row = await selectInvitationBySecret(db.system, secretHash(secret));
  if (!row) {
    throw new AppError(
      'not_found',
      'This invitation does not exist (any more). It may have been used, taken back, or sent again with a new link, or whoever sent it may not invite any more.',
    );
  }
  return { ...row, expired: isOver(row) };
}

interface Guest {
  userId: number;
  email: string;
  name: string;
}

/**
 * Lets the holder of the link in, if they are signed in with the invited address. The link proves
 * nothing about that address: the person who invites can see the link, so it must not verify
 * anybody. Returns the workspace.
 */
export async function accept(parts: TeamParts, guest: Guest, secret: string): Promise<number> {
  const invitation = await openInvitation(parts, secret);
  const { email, expired, invitedBy } = invitation;
  if (expired) throw new AppError('gone', `This invitation has run out. Ask ${invitedBy} to send it again.`);
  if (guest.email !== email) {
    throw new AppError(
      'forbidden',
      `This invitation is for ${email}, and you are signed in as ${guest.email}. Sign out and come back with that address.`,
    );
  }
  return join(parts, guest, invitation);
}

/** Makes the guest a member and ends the invitation. The caller has checked that they may join. */
export async function join(
  parts: TeamParts,
  guest: Guest,
  { workspaceId, id, email, invitedBy }: InvitationRow,
): Promise<number> {
  await parts.db.asTenant(workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    // Its role, and what its inviter may give, may have changed since the invitation was opened.
    const standing = (await selectInvitations(tx, workspaceId)).find((one) => one.id === id);
    if (!standing || !(await endInvitation(tx, workspaceId, id, 'accepted')))
      throw new AppError('gone', goneForGuest);
    const { role } = standing;
    if (!(await insertMember(tx, workspaceId, guest.userId, role))) return;
    await recordAudit(tx, workspaceId, {
      actor: guest.email,
      action: 'member.joined',
      subject: `invitation:${id}`,
      details: { email, role, invitedBy },
    });
    await recordActivity(tx, workspaceId, {
      action: 'Member Joined',
      details: `${guest.name} (${email}) as ${role}`,
      status: 'completed',
      icon: 'user-plus',
      iconColor: 'success',
      actor: guest.email,
    });
  });
  return workspaceId;
}

export async function decline(parts: TeamParts, secret: string): Promise<void> {
  await sayNo(parts, await openInvitation(parts, secret));
}

/** Ends an invitation because the invited person does not want it. */
export async function sayNo(parts: TeamParts, { workspaceId, id }: InvitationRow): Promise<void> {
  await parts.db.asTenant(workspaceId, async (tx) => {
    const ended = await endInvitation(tx, workspaceId, id, 'rejected');
    if (!ended) return;
    await recordAudit(tx, workspaceId, {
      actor: ended.email,
      action: 'invitation.declined',
      subject: `invitation:${id}`,
      details: ended,
    });
  });
}
