import type { Role } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { email as emailSchema, type InvitedOne } from '../contract.ts';
import { sendInvitation } from './invitations.ts';
import type { Actor, TeamParts } from './members.ts';

/** Failures that concern one address, or come from having invited so many already. */
const ofOne = ['already_exists', 'invalid_input', 'rate_limited'];

/**
 * Invites each address by itself: what is wrong with one keeps no other from it. A role that may
 * not be given fails the whole call.
 */
export async function sendInvitations(
  parts: TeamParts,
  actor: Actor,
  { emails, role }: { emails: string[]; role: Role },
): Promise<{ sent: number; results: InvitedOne[] }> {
  const results: InvitedOne[] = [];
  const known = new Set<string>();
  for (const typed of emails) {
    const parsed = emailSchema.safeParse(typed);
    const email = parsed.data ?? typed.trim();
    if (known.has(email.toLowerCase())) continue;
    known.add(email.toLowerCase());
    if (parsed.success) results.push(await inviteOne(parts, actor, { email, role }));
    else results.push({ email, invitation: null, problem: 'This is no email address.' });
  }
  return { sent: results.filter(({ invitation }) => invitation !== null).length, results };
}

async function inviteOne(
  parts: TeamParts,
  actor: Actor,
  to: { email: string; role: Role },
): Promise<InvitedOne> {
  try {
    return { email: to.email, invitation: await sendInvitation(parts, actor, to), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || !ofOne.includes(error.kind)) throw error;
    return { email: to.email, invitation: null, problem: error.message };
  }
}
