import { z } from 'zod';
import { ownPassword } from '#features/sign-in/contract.ts';
import { access, endpoint, idParams, roles } from '#platform/shared/contract.ts';

/** Where people work, and with whom: workspaces, their members, and invitations. */

const tag = 'Identity';
const role = z.enum(roles);
export const email = z.string().trim().toLowerCase().pipe(z.email('Please enter an email address.').max(254));

const workspace = z.object({
  id: z.number().int(),
  name: z.string(),
  role: role.describe('The role of the caller there.'),
  members: z.number().int(),
  owner: z
    .string()
    .nullable()
    .describe('The address of who has owned it longest; tells workspaces of one name apart.'),
  current: z.boolean().describe('Where the session is at work.'),
});
export type Workspace = z.output<typeof workspace>;

export const listWorkspaces = endpoint({
  method: 'GET',
  path: '/api/workspaces',
  access: access.user,
  summary: 'The workspaces the caller belongs to.',
  tag,
  response: z.array(workspace),
});

export const createWorkspace = endpoint({
  method: 'POST',
  path: '/api/workspaces',
  access: access.user,
  summary: 'Make another workspace, own it, and be at work in it.',
  tag,
  body: z.strictObject({ name: z.string() }),
  response: workspace,
  status: 201,
});

export const switchWorkspace = endpoint({
  method: 'POST',
  path: '/api/workspaces/current',
  access: access.user,
  summary: 'Be at work in another of your own workspaces, with this session.',
  tag,
  body: z.strictObject({ id: z.number().int().positive() }),
  response: workspace,
  fails: ['not_found'],
  writesLittle: true,
});

export const renameWorkspace = endpoint({
  method: 'PATCH',
  path: '/api/workspaces/current',
  access: access.member('admin'),
  summary: 'Give the workspace another name.',
  tag,
  body: z.strictObject({ name: z.string() }),
  response: workspace,
});

const teamTag = 'Team';

const member = z.object({
  id: z.number().int().describe('The id of the membership, not that of the person.'),
  name: z.string(),
  email: z.string(),
  role,
  joinedAt: z.iso.datetime(),
  lastSeenAt: z.iso
    .datetime()
    .nullable()
    .describe('To within a few minutes; null when never at work here yet.'),
  twoFactor: z
    .boolean()
    .describe('Whether they sign in with a second factor, or through the identity provider alone.'),
  apiKeys: z.number().int().describe('API keys that act for them.'),
  isYou: z.boolean(),
});
export type Member = z.output<typeof member>;

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/team/members',
  access: access.member('viewer'),
  summary: 'The people in the workspace, those who may do most first.',
  tag: teamTag,
  response: z.array(member),
});

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/api/team/members/:id',
  access: access.member('admin'),
  summary:
    "Change a member's role. Takes effect on their next call, and on that of the API keys that act for them. Owners are made and changed by owners only. Their open invitations to what the new role may not give end.",
  tag: teamTag,
  params: idParams,
  body: z.strictObject({
    role,
    apiKeys: z
      .enum(['keep', 'take_over'])
      .default('keep')
      .describe('`keep`: their keys may do what the new role may. `take_over`: they act for you.'),
  }),
  response: member,
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/team/members/:id',
  access: access.member('admin'),
  summary:
    'Remove a member. They are out at once, and with them the API keys that act for them and their open invitations.',
  tag: teamTag,
  params: idParams,
  query: z.object({
    apiKeys: z
      .enum(['revoke', 'take_over'])
      .default('revoke')
      .describe('`take_over`: their keys act for you from now on. Whoever knows a key still knows it.'),
  }),
  response: z.object({
    removed: z.literal(1),
    apiKeys: z.number().int().describe('How many keys were revoked or taken over.'),
  }),
  writesLittle: true,
});

export const requireTwoFactor = endpoint({
  method: 'PATCH',
  path: '/api/team/security',
  access: access.member('admin'),
  summary:
    'Whether members need two-factor sign-in. Can be switched on by who has it; who has none is refused everything but setting it up, leaving and working elsewhere. API keys go on.',
  tag: teamTag,
  body: z.strictObject({ requireTwoFactor: z.boolean() }),
  response: z.object({
    requireTwoFactor: z.boolean(),
    membersWithout: z.number().int().describe('How many members have no two-factor sign-in.'),
  }),
});

export const leaveWorkspace = endpoint({
  method: 'POST',
  path: '/api/team/leave',
  access: access.memberBeforeTwoFactor('viewer'),
  summary:
    'Leave the workspace. The last owner cannot. The API keys that act for you are revoked, and your open invitations end.',
  tag: teamTag,
  response: z.object({ left: z.literal(true) }),
  writesLittle: true,
});

export const transferOwnership = endpoint({
  method: 'POST',
  path: '/api/team/transfer',
  access: access.member('owner'),
  summary: 'Make another member the owner and oneself an admin. Own open invitations of owners end.',
  tag: teamTag,
  body: z.strictObject({ memberId: z.number().int().positive(), password: ownPassword }),
  response: member,
  fails: ['not_found'],
});

const invitation = z.object({
  id: z.number().int(),
  email: z.string(),
  role,
  invitedBy: z.string().describe('A name.'),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  expired: z.boolean(),
});
export type Invitation = z.output<typeof invitation>;
const sentInvitation = invitation.extend({
  link: z.string().describe('What the mail leads to. Told once; sending the invitation again makes another.'),
  mailed: z
    .boolean()
    .describe('False where there is no mail server: then the link has to be passed on by hand.'),
});

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/team/invitations',
  access: access.member('admin'),
  summary:
    'Invitations that nobody has answered yet, also those that have run out. Not those of an inviter who may not give that role any more.',
  tag: teamTag,
  response: z.array(invitation),
});

export const invite = endpoint({
  method: 'POST',
  path: '/api/team/invitations',
  access: access.member('admin'),
  summary: 'Invite somebody by mail. Only an owner can invite an owner.',
  tag: teamTag,
  body: z.strictObject({ email, role }),
  response: sentInvitation,
  status: 201,
  secretAnswer: true,
});

export const inviteSeveral = endpoint({
  method: 'POST',
  path: '/api/team/invitations/several',
  access: access.member('admin'),
  summary: 'Invite several people by mail. The answer says of each address whether it was, in their order.',
  tag: teamTag,
  body: z.strictObject({
    emails: z
      .array(z.string().max(400))
      .min(1)
      .max(50)
      .describe('As typed. One that cannot be invited keeps no other from it; a second copy is left out.'),
    role,
  }),
  response: z.object({
    sent: z.number().int(),
    results: z.array(
      z.object({
        email: z.string(),
        invitation: sentInvitation.nullable(),
        problem: z.string().nullable().describe('Why this address was not invited.'),
      }),
    ),
  }),
  secretAnswer: true,
  limits:
    'A workspace sends at most 60 invitations an hour, a person 120, and 5 mails about accounts go to one address; those beyond are answered with the problem.',
});
export type InvitedOne = z.output<typeof inviteSeveral.response>['results'][number];

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/team/invitations/:id/resend',
  access: access.member('admin'),
  summary: 'Send an invitation again with a new link and a new end. The old link stops working.',
  tag: teamTag,
  params: idParams,
  response: sentInvitation,
  secretAnswer: true,
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/team/invitations/:id',
  access: access.member('admin'),
  summary: 'Take an invitation back. Its link stops working.',
  tag: teamTag,
  params: idParams,
  response: z.object({ revoked: z.literal(1) }),
});

const notWhole = 'This link is not whole. Open it from the mail again, or copy all of it.';
const tokenParams = z.object({ token: z.string().min(20, notWhole).max(100, notWhole) });

export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/invitations/:token',
  access: access.public,
  summary: 'What an invitation is for, for who holds its link. 404 once it is used, taken back or replaced.',
  tag: teamTag,
  params: tokenParams,
  response: z.object({
    workspace: z.string(),
    email: z.string(),
    role,
    invitedBy: z.string(),
    expiresAt: z.iso.datetime(),
    expired: z.boolean(),
    hasAccount: z.boolean().describe('Whether the invited address can sign in already.'),
  }),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token/accept',
  access: access.user,
  summary: 'Join the workspace and be at work in it. Only with the account of the invited address.',
  tag: teamTag,
  params: tokenParams,
  response: workspace,
  fails: ['gone'],
});

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:token/decline',
  access: access.public,
  summary: 'Say no. The link stops working.',
  tag: teamTag,
  params: tokenParams,
  response: z.object({ declined: z.literal(true) }),
});

const waitingInvitation = z.object({
  id: z.number().int(),
  workspace: z.string().describe('The name of the workspace.'),
  role,
  invitedBy: z.string(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isNew: z.boolean().describe('True until it is marked as seen; again when it is sent again.'),
});
export type WaitingInvitation = z.output<typeof waitingInvitation>;

export const listOwnInvitations = endpoint({
  method: 'GET',
  path: '/api/account/invitations',
  access: access.user,
  summary: "The open invitations to the caller's own address, newest first. Only to a confirmed one.",
  tag: teamTag,
  response: z.object({
    items: z.array(waitingInvitation),
    unread: z.number().int(),
    waitsForProof: z.boolean().describe('There are some, and they are shown once the address is confirmed.'),
  }),
});

export const seeOwnInvitations = endpoint({
  method: 'POST',
  path: '/api/account/invitations/seen',
  access: access.user,
  summary: 'Mark the open invitations to your own address as seen.',
  tag: teamTag,
  response: z.object({ unread: z.number().int() }),
  writesLittle: true,
});

export const acceptOwnInvitation = endpoint({
  method: 'POST',
  path: '/api/account/invitations/:id/accept',
  access: access.user,
  summary: 'Join the workspace of an invitation to the own, confirmed address, and be at work in it.',
  tag: teamTag,
  params: idParams,
  response: workspace,
  fails: ['gone'],
});

export const declineOwnInvitation = endpoint({
  method: 'POST',
  path: '/api/account/invitations/:id/decline',
  access: access.user,
  summary: 'Say no to an invitation to the own, confirmed address.',
  tag: teamTag,
  params: idParams,
  response: z.object({ declined: z.literal(true) }),
});
