import { formatCount } from '#platform/shared/words.ts';
import type { Db } from '../queries.ts';
import { deleteFactor } from '../second-factor/factor-queries.ts';
import { type AccountRow, updateEmail } from '../user-queries.ts';
import { recordForUser } from '../users.ts';
import type { EndedAccess, Workplaces } from '../workplaces.ts';

/** What ended when the owner of a mailbox came into the account with its address. */
export interface Claimed extends EndedAccess {
  secondFactor: boolean;
}

/**
 * For somebody who sets a password by a link in a mailbox whose address was not proven before.
 * Anybody may have signed up with that address, and would stay inside: API keys, invitations and a
 * second factor made until now end, because nobody knows whose they are. The address is proven from
 * now on. The user is locked.
 */
export async function claimAccount(
  workplaces: Workplaces,
  tx: Db,
  { id, email }: AccountRow,
): Promise<Claimed> {
  await updateEmail(tx, id, email);
  await recordForUser(tx, id, { actor: email, action: 'account.email_confirmed', details: { email } });
  const secondFactor = await deleteFactor(tx, id);
  if (secondFactor) await recordForUser(tx, id, { actor: email, action: 'account.two_factor_off' });
  return { secondFactor, ...(await workplaces.endAccessGiven(tx, { userId: id, email })) };
}

/** What the mail about the new password says of that, a paragraph each. */
export function claimedParagraphs({ secondFactor, apiKeys, invitations, shared }: Claimed): string[] {
  const ended = [
    ...(apiKeys > 0 ? [formatCount(apiKeys, 'API key')] : []),
    ...(invitations > 0 ? [formatCount(invitations, 'open invitation')] : []),
    ...(secondFactor ? ['two-factor sign-in'] : []),
  ];
  const paragraphs =
    ended.length === 0
      ? []
      : [
          `Nobody had confirmed this address before, so anybody could have signed up with it. What the account had until now was therefore ended: ${new Intl.ListFormat('en-GB').format(ended)}. If they were yours, make them anew.`,
        ];
  for (const { workspace, others } of shared) {
    paragraphs.push(
      `Others work in the workspace ${workspace} too: ${others.join(', ')}. If you do not know them, remove them under "Team", or leave the workspace.`,
    );
  }
  return paragraphs;
}
