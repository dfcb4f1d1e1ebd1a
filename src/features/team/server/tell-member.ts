import type { Mailer, NewMail } from '#features/mail/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { isConfirmedAddress } from './member-queries.ts';

/**
 * Sends a notice to somebody who is or was a member. With a mail server, only to an address that
 * its owner has confirmed: where anybody may sign up, anybody may name the address of a stranger.
 */
export async function tellMember(tx: TenantTx, mail: Mailer, notice: NewMail): Promise<void> {
  if (mail.hasMailServer && !(await isConfirmedAddress(tx, notice.to))) return;
  await mail.send(tx, notice);
}
