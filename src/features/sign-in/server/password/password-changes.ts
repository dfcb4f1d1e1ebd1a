import type { Mailer } from '#features/mail/server/index.ts';
import type { OidcConfig } from '#platform/server/config.ts';
import { newSecret } from '#platform/server/secret-link.ts';
import { AppError } from '#platform/shared/errors.ts';
import { keysOf } from '../../rules/provider.ts';
import { passwordProblem } from '../../rules.ts';
import type { AuthDatabase } from '../auth-database.ts';
import type { Passwords } from '../passwords.ts';
import { identifierOf, lockAccountInSession, resetPrefix, takeLocked } from '../proofs.ts';
import { hasIdentity } from '../provider/queries.ts';
import { type Db, deleteProofs, insertProof, selectProof } from '../queries.ts';
import {
  type AccountRow,
  lockUser,
  selectAccount,
  selectAccountByEmail,
  updatePassword,
} from '../user-queries.ts';
import { accountOf, endSessions, recordForUser } from '../users.ts';
import type { Workplaces } from '../workplaces.ts';
import { claimAccount, claimedParagraphs } from './claimed-account.ts';

/**
 * Gives somebody a new password who knows the old one or has the link from a mail. All consequences
 * succeed or fail together.
 */
export interface PasswordParts {
  db: AuthDatabase;
  mail: Mailer;
  passwords: Passwords;
  workplaces: Workplaces;
  /** The identity provider, if there is one. */
  oidc: OidcConfig | undefined;
}

const resetMinutes = 60;

function refusePassword(field: string, password: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
}

/** For a caller whose current password has been checked. Returns how many other sessions ended. */
export async function givePassword(
  parts: PasswordParts,
  { userId, sessionId }: { userId: number; sessionId: number },
  password: string,
): Promise<number> {
  const { db, mail, passwords } = parts;
  refusePassword('newPassword', password, (await accountOf(db, userId)).email);
  const hash = await passwords.hash(password);
  const ended = await db.transaction().execute(async (tx) => {
    const account = await lockAccountInSession(tx, userId, sessionId);
    await updatePassword(tx, userId, hash);
    await deleteProofs(tx, resetPrefix, userId);
    await recordForUser(tx, userId, { actor: account.email, action: 'account.password_changed' });
    // Anybody may have signed up with a stranger's address, and may change the password for ever.
    if (account.emailVerified || !mail.hasMailServer) await tellOfPassword(parts, tx, account);
    return endSessions(tx, userId, sessionId);
  });
  mail.hurry();
  return ended;
}

/** The mail says as well who still gets in without the password. `more` are further paragraphs. */
async function tellOfPassword(
  { mail, oidc }: PasswordParts,
  tx: Db,
  { id, email }: AccountRow,
  more: string[] = [],
): Promise<void> {
  const provider = oidc && (await hasIdentity(tx, id, keysOf(oidc.issuer))) ? oidc.name : null;
  await mail.send(tx, {
    to: email,
    kind: 'notice',
    workspaceId: null,
    subject: 'Your password was changed',
    content: {
      title: 'Your password was changed',
      paragraphs: [
        'The password of your account in Email Manager has just been changed, and every other session has been signed out.',
        ...(provider === null
          ? []
          : [
              `Your account is still connected to an account at ${provider}, which lets in without the password. If you did not connect it, disconnect it under "Your account".`,
            ]),
        ...more,
        'If it was not you who changed the password, set a new one with "Forgot your password?" on the sign-in page at once.',
      ],
      reason: 'You get this mail because it concerns the security of your account.',
    },
  });
}

/**
 * Sends a link that sets a new password, if there is such an account. Does not reveal whether there
 * is.
 */
export async function sendReset({ db, mail }: PasswordParts, email: string): Promise<void> {
  const found = await selectAccountByEmail(db, email);
  if (!found) return;
  const { secret } = newSecret();
  await db.transaction().execute(async (tx) => {
    // The account may get another address at this moment, which ends the links to this one.
    await lockUser(tx, found.id);
    const account = await selectAccountByEmail(tx, email);
    if (account?.id !== found.id) return;
    await insertProof(tx, {
      identifier: identifierOf(resetPrefix, secret),
      value: String(account.id),
      minutes: resetMinutes,
    });
    await mail.send(tx, {
      to: account.email,
      kind: 'password_reset',
      workspaceId: null,
      subject: 'Set a new password',
      content: {
        title: 'Set a new password',
        paragraphs: [
          'Somebody asked to set a new password for your account in Email Manager.',
          'The link works once, within an hour. If it was not you, do nothing: your password stays as it is.',
        ],
        button: { label: 'Set a new password', url: `${mail.publicUrl}/reset-password?token=${secret}` },
        reason: 'You get this mail because somebody typed your address on the sign-in page.',
      },
    });
  });
  mail.hurry();
}

/** The account that a mailed link is for. Throws `gone` when there is none. */
async function linkedAccount(db: Db, user: string | undefined): Promise<AccountRow> {
  const account = user === undefined ? undefined : await selectAccount(db, Number(user));
  if (!account) throw new AppError('gone', 'This link has been used or has run out. Ask for a new one.');
  return account;
}

/**
 * Sets a password by a mailed link and ends every session. Returns whose password it is. A refused
 * password leaves the link usable. The first link that a mail server has brought to the mailbox
 * ends what was made in the account before. Without a mail server it proves no mailbox.
 */
export async function resetBy(parts: PasswordParts, secret: string, password: string): Promise<string> {
  const { db, mail, passwords, workplaces } = parts;
  const identifier = identifierOf(resetPrefix, secret);
  // A hash takes 32 MB and 0.1 s, and anybody may call. A link ends with its address, so what is
  // refused here need not be asked again below.
  const { email: address } = await linkedAccount(db, await selectProof(db, identifier));
  refusePassword('password', password, address);
  const hash = await passwords.hash(password);
  const email = await db.transaction().execute(async (tx) => {
    const account = await linkedAccount(tx, await takeLocked(tx, identifier, Number));
    const userId = account.id;
    await updatePassword(tx, userId, hash);
    await deleteProofs(tx, resetPrefix, userId);
    await endSessions(tx, userId, null);
    await recordForUser(tx, userId, { actor: account.email, action: 'account.password_reset' });
    const isClaimed = !account.emailVerified && mail.hasMailServer;
    const more = isClaimed ? claimedParagraphs(await claimAccount(workplaces, tx, account)) : [];
    await tellOfPassword(parts, tx, account, more);
    return account.email;
  });
  mail.hurry();
  return email;
}
