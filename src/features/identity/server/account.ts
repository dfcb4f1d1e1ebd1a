import { sql } from 'kysely';
import { recordAudit } from '#features/audit/server/index.ts';
import type { Mailer } from '#features/mail/server/index.ts';
import { sqlState, type TenantTx, tenantStatement } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { AppError } from '#platform/shared/errors.ts';
import { nameProblem, passwordProblem } from '../rules.ts';
import {
  type AccountRow,
  deleteProofs,
  deleteSessions,
  insertProof,
  selectAccount,
  selectAccountByEmail,
  selectWorkspaceIdsOf,
  takeProof,
  updateEmail,
  updateName,
  updatePassword,
} from './account-queries.ts';
import type { AuthDatabase } from './auth-database.ts';
import { emailPrefix, identifierOf, resetPrefix, sendEmailProof, trustPrefix } from './mailed-links.ts';
import type { Passwords } from './passwords.ts';
import type { Db } from './queries.ts';
import { newSecret } from './secret-link.ts';

/** The verbs of one's own account. What changes it, and the lines in the audit log, stand or fall together. */
export interface AccountParts {
  db: AuthDatabase;
  mail: Mailer;
  log: Log;
  passwords: Passwords;
}

const resetMinutes = 60;

/** What somebody does with their account concerns every workspace they can get into. */
export async function recordForUser(
  db: Db,
  userId: number,
  line: { actor: string; action: string; details?: Record<string, unknown> },
): Promise<void> {
  for (const workspaceId of await selectWorkspaceIdsOf(db, userId)) {
    await sql.raw(tenantStatement(workspaceId)).execute(db);
    await recordAudit(db as TenantTx, workspaceId, { ...line, subject: `user:${userId}` });
  }
}

export async function accountOf(db: Db, userId: number): Promise<AccountRow> {
  const account = await selectAccount(db, userId);
  if (!account) throw new AppError('unauthenticated', 'Please sign in.');
  return account;
}

export async function giveName({ db }: AccountParts, userId: number, name: string): Promise<void> {
  const trimmed = name.trim();
  const problem = nameProblem(trimmed);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
  await db.transaction().execute(async (tx) => {
    const account = await accountOf(tx, userId);
    if (account.name === trimmed) return;
    await updateName(tx, userId, trimmed);
    await recordForUser(tx, userId, {
      actor: account.email,
      action: 'account.renamed',
      details: { from: account.name, to: trimmed },
    });
  });
}

function refusePassword(field: string, password: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
}

/** The current password has been checked. Answers how many other sessions ended. */
export async function givePassword(
  { db, mail, passwords }: AccountParts,
  { userId, sessionId }: { userId: number; sessionId: number },
  password: string,
): Promise<number> {
  const account = await accountOf(db, userId);
  refusePassword('newPassword', password, account.email);
  const hash = await passwords.hash(password);
  const ended = await db.transaction().execute(async (tx) => {
    await updatePassword(tx, userId, hash);
    await deleteProofs(tx, resetPrefix, userId);
    await deleteProofs(tx, trustPrefix, userId);
    await recordForUser(tx, userId, { actor: account.email, action: 'account.password_changed' });
    await mail.send(tx, passwordNotice(account));
    return deleteSessions(tx, userId, sessionId);
  });
  mail.hurry();
  return ended;
}

const passwordNotice = ({ email }: AccountRow) => ({
  to: email,
  kind: 'notice' as const,
  workspaceId: null,
  subject: 'Your password was changed',
  content: {
    title: 'Your password was changed',
    paragraphs: [
      'The password of your account in Email Manager has just been changed, and every other session has been signed out.',
      'If that was not you, set a new password with "Forgot your password?" on the sign-in page at once.',
    ],
    reason: 'You get this mail because it concerns the security of your account.',
  },
});

/** Sends a link that sets a new password, if there is such an account. Says nothing about whether there is. */
export async function sendReset({ db, mail }: AccountParts, email: string): Promise<void> {
  const account = await selectAccountByEmail(db, email);
  if (!account) return;
  const { secret } = newSecret();
  await db.transaction().execute(async (tx) => {
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

/** Sets a password by a mailed link and ends every session; answers whose it is. A refused password leaves the link good. */
export async function resetBy(
  { db, mail, passwords }: AccountParts,
  secret: string,
  password: string,
): Promise<string> {
  refusePassword('password', password, '');
  const hash = await passwords.hash(password);
  const email = await db.transaction().execute(async (tx) => {
    const userId = Number(await takeProof(tx, identifierOf(resetPrefix, secret)));
    const account = userId ? await selectAccount(tx, userId) : undefined;
    if (!account) throw new AppError('gone', 'This link has been used or has run out. Ask for a new one.');
    // Undoes the taking too: whoever is refused may choose another password with the same link.
    refusePassword('password', password, account.email);
    await updatePassword(tx, userId, hash);
    await deleteProofs(tx, resetPrefix, userId);
    await deleteProofs(tx, trustPrefix, userId);
    await deleteSessions(tx, userId, null);
    await recordForUser(tx, userId, { actor: account.email, action: 'account.password_reset' });
    await mail.send(tx, passwordNotice(account));
    return account.email;
  });
  mail.hurry();
  return email;
}

/** The password has been checked. An address that has an account is told no different from one that has none. */
export async function askForEmail(parts: AccountParts, userId: number, email: string): Promise<void> {
  const { db, mail } = parts;
  const account = await accountOf(db, userId);
  if (account.email === email) {
    const message = 'This is your address already.';
    throw new AppError('invalid_input', message, { fields: { email: message } });
  }
  await db.transaction().execute(async (tx) => {
    if (await selectAccountByEmail(tx, email)) return;
    await sendEmailProof(parts.mail, tx, { userId, email, isChange: true });
    await recordForUser(tx, userId, {
      actor: account.email,
      action: 'account.email_asked',
      details: { to: email },
    });
  });
  mail.hurry();
}

const linkIsGone = () => new AppError('gone', 'This link has been used or has run out. Ask for a new one.');

/** Opens the link of a proof: the address is the user's from now on, and proven. */
export async function confirmProof({ db, mail }: AccountParts, secret: string): Promise<string> {
  try {
    return await db.transaction().execute(async (tx) => {
      const value = await takeProof(tx, identifierOf(emailPrefix, secret));
      if (value === undefined) throw linkIsGone();
      const { userId, email, isChange } = JSON.parse(value) as {
        userId: number;
        email: string;
        isChange: boolean;
      };
      const account = await selectAccount(tx, userId);
      // A proof of an address that is not the account's any more proves nothing.
      if (!account || (!isChange && account.email !== email)) throw linkIsGone();
      await updateEmail(tx, userId, email);
      await deleteProofs(tx, resetPrefix, userId);
      await recordForUser(tx, userId, {
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
