import type { Mailer } from '#features/mail/server/index.ts';
import { nameProblem } from '#features/sign-in/rules.ts';
import {
  accountOf,
  giveEmail,
  limitAttempts,
  recordForUser,
  rename,
  type SignIn,
  sendEmailChange,
  takeEmailProof,
} from '#features/sign-in/server/index.ts';
import { type Database, sqlState } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';

/**
 * The calls for a person's own account. A change and its lines in the audit log succeed or fail
 * together.
 */
export interface AccountParts {
  db: Database;
  mail: Mailer;
  signIn: SignIn;
}

export async function giveName(
  { db: { system: db } }: AccountParts,
  userId: number,
  name: string,
): Promise<void> {
  const trimmed = name.trim();
  const problem = nameProblem(trimmed);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
  await db.transaction().execute(async (tx) => {
    const account = await accountOf(tx, userId);
    if (account.name === trimmed) return;
    await rename(tx, userId, trimmed);
    await recordForUser(tx, userId, {
      actor: account.email,
      action: 'account.renamed',
      details: { from: account.name, to: trimmed },
    });
  });
}

/** Each of them is a mail to the account's address. */
const mostChangesAnHour = 5;

/**
 * The password has been checked. Neither the answer, nor the mail to the account's own address, nor
 * the audit log reveals whether the new address has an account.
 */
export async function askForEmail(
  { db: { system: db }, mail }: AccountParts,
  { userId, sessionId }: { userId: number; sessionId: number },
  email: string,
): Promise<void> {
  const account = await accountOf(db, userId);
  if (account.email === email) {
    const message = 'This is your address already.';
    throw new AppError('invalid_input', message, { fields: { email: message } });
  }
  await limitAttempts(db, {
    kind: 'email-change',
    who: String(userId),
    most: mostChangesAnHour,
    windowMs: 3_600_000,
  });
  await db.transaction().execute(async (tx) => {
    const { email: from } = await sendEmailChange(mail, tx, { userId, sessionId, email });
    await recordForUser(tx, userId, { actor: from, action: 'account.email_asked', details: { to: email } });
  });
  mail.hurry();
}

/** Opens the link of a proof. From now on the address is this user's, and proven. */
export async function confirmProof(
  { db, mail }: AccountParts,
  userId: number,
  secret: string,
): Promise<string> {
  try {
    return await db.system.transaction().execute(async (tx) => {
      const proof = await takeEmailProof(tx, userId, secret);
      if (!proof) throw new AppError('gone', 'This link has been used or has run out. Ask for a new one.');
      const { account, email, replaces } = proof;
      const isChange = replaces !== null;
      await giveEmail(tx, account.id, email);
      await recordForUser(tx, account.id, {
        actor: account.email,
        action: isChange ? 'account.email_changed' : 'account.email_confirmed',
        details: isChange ? { from: account.email, to: email } : { email },
      });
      if (isChange) await mail.send(tx, emailNotice(account.email, email));
      return email;
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    throw new AppError('already_exists', 'This address has an account of its own meanwhile.', {
      cause: error,
    });
  } finally {
    mail.hurry();
  }
}

const emailNotice = (from: string, to: string) => ({
  to: from,
  kind: 'notice' as const,
  workspaceId: null,
  subject: 'Your email address was changed',
  content: {
    title: 'Your email address was changed',
    paragraphs: [
      `Your account in Email Manager now uses ${to} instead of ${from}.`,
      'If that was not you, tell whoever runs this installation.',
    ],
    reason: 'You get this mail because it concerns the security of your account.',
  },
});
