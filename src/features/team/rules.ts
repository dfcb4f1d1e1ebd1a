import { mayAs, type Role } from '#platform/shared/contract.ts';

/**
 * Who may do what to whom in a workspace. Null means allowed; otherwise the result says why not.
 */

/** Whether somebody may invite a person with this role. */
export function invitingProblem(actor: Role, role: Role): string | null {
  if (!mayAs(actor, 'admin')) return 'Inviting people needs the admin role.';
  if (role === 'owner' && actor !== 'owner') return 'Only an owner can make somebody an owner.';
  return null;
}

interface Change {
  actor: Role;
  /** The person's role now. */
  from: Role;
  /** Null: they are removed, or leave. */
  to: Role | null;
  owners: number;
  self: boolean;
}

/** Whether a member's role may be changed, or the member removed. */
export function changeProblem({ actor, from, to, owners, self }: Change): string | null {
  const lastOwner = from === 'owner' && to !== 'owner' && owners <= 1;
  if (lastOwner) {
    return self
      ? 'You are the only owner. Make somebody else an owner first.'
      : 'A workspace needs an owner. Make somebody else an owner first.';
  }
  if (self && to === null) return null;
  if (!mayAs(actor, 'admin')) return 'Managing members needs the admin role.';
  if (from === 'owner' && actor !== 'owner') return 'Only an owner can change an owner.';
  if (to === 'owner' && actor !== 'owner') return 'Only an owner can make somebody an owner.';
  return null;
}

/**
 * Why somebody may not decide whether the workspace requires two-factor sign-in, or null. Only
 * somebody who uses it can require it of others. Otherwise the rule would immediately lock them
 * out.
 */
export function twoFactorRuleProblem(
  { role, twoFactor }: { role: Role; twoFactor: boolean },
  required: boolean,
): { code: 'forbidden' | 'conflict'; message: string } | null {
  if (!mayAs(role, 'admin'))
    return { code: 'forbidden', message: 'Deciding how members sign in needs the admin role.' };
  if (required && !twoFactor) {
    const message =
      'Set up two-factor sign-in for yourself first, in your account. Then you can ask others for it.';
    return { code: 'conflict', message };
  }
  return null;
}

/** For how many days an invitation is valid. */
export const invitationDays = 7;

/** How many workspaces one person may own. */
export const mostWorkspaces = 20;

/** What each role may do, in one line. Each role includes the one before it. */
export const roleWords: Record<Role, string> = {
  viewer: 'Sees contacts, suppressions, imports and reports. Changes nothing.',
  editor: 'Imports, cleans, edits and exports contacts, and keeps the suppression list.',
  sender: 'Does what an editor does, and sends campaigns.',
  admin: 'Does all that, invites and manages members, settings and API keys, and reads the audit log.',
  owner: 'Everything, including handing the workspace over.',
};

/** Whether several of these workspaces have this name, so that the name alone is ambiguous. */
export const isNameTwice = (workspaces: readonly { name: string }[], name: string): boolean =>
  workspaces.filter((one) => one.name === name).length > 1;
