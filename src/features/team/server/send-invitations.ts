import { asAppError } from '#platform/server/error-map.ts';
import type { Role } from '#platform/shared/contract.ts';
import { email as emailSchema, type InvitedOne } from '../contract.ts';
import { sendInvitation } from './invitations.ts';
import type { Actor, TeamParts } from './members.ts';

/** Failures that concern one address, or come from having invited so many already. */
const ofOne = ['already_exists', 'invalid_input', 'rate_limited'];

/**
 * Invites each address by itself: what is wrong with one keeps no other from it. A role that may
 * not be given fails the whole call. Once somebody is invited no failure does, because the answer
 * holds their links.
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
    if (parsed.success) results.push(await inviteOne(parts, actor, { email, role }, hasInvited(results)));
    else results.push({ email, invitation: null, problem: 'This is no email address.' });
  }
  return { sent: results.filter(({ invitation }) => invitation !== null).length, results };
}

const hasInvited = (results: readonly InvitedOne[]) => results.some(({ invitation }) => invitation !== null);

async function inviteOne(
  parts: TeamParts,
  actor: Actor,
  to: { email: string; role: Role },
  mustAnswer: boolean,
): Promise<InvitedOne> {
  try {
    return { email: to.email, invitation: await sendInvitation(parts, actor, to), problem: null };
  } catch (error) {
    const failure = asAppError(error);
    if (!mustAnswer && !ofOne.includes(failure.kind)) throw error;
    return { email: to.email, invitation: null, problem: failure.message };
  }
}
