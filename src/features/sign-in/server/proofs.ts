import type { Mailer } from '#features/mail/server/index.ts';
import { newSecret, secretHash } from '#platform/server/secret-link.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type Db, deleteEmailChanges, insertProof, selectProof, takeProof } from './queries.ts';
import { selectSessions } from './session-queries.ts';
import { type AccountRow, lockUser, selectAccount, selectAccountByEmail } from './user-queries.ts';

/** What a stored proof is for: the start of its identifier. */
export const resetPrefix = 'reset-password:';
const emailPrefix = 'prove-email:';
/** The library's own prefix: devices that need no second factor. */
export const trustPrefix = 'trust-device-';
/** The library's own prefixes too: sign-ins that wait for their second step, and its attempts. */
export const secondStepPrefix = '2fa-';
export const attemptsPrefix = `${secondStepPrefix}attempts-`;

const proofMinutes = 24 * 60;

export const identifierOf = (prefix: string, secret: string): string =>
  `${prefix}${secretHash(secret).toString('base64url')}`;

/** What the link in a mail proves. */
interface EmailProof {
  userId: number;
  email: string;
  /** The address that it will replace; null: it is the account's own, not yet proven. */
  replaces: string | null;
}

/**
 * Takes a proof with its user locked. Whoever ends a user's proofs locks the user first as well, so
 * that two who use or end them at the same moment never wait for each other for ever.
 */
export async function takeLocked(
  tx: Db,
  identifier: string,
  userOf: (value: string) => number,
): Promise<string | undefined> {
  const seen = await selectProof(tx, identifier);
  if (seen === undefined) return undefined;
  await lockUser(tx, userOf(seen));
  return takeProof(tx, identifier);
}

/**
 * The caller's account, locked. They may have given the password a moment before somebody set a new
 * one: that ended the session, and throws `unauthenticated`.
 */
export async function lockAccountInSession(tx: Db, userId: number, sessionId: number): Promise<AccountRow> {
  await lockUser(tx, userId);
  const account = await selectAccount(tx, userId);
  if (!account || !(await selectSessions(tx, userId)).some(({ id }) => id === sessionId))
    throw new AppError('unauthenticated', 'Please sign in.');
  return account;
}

/** Sends a link to `email`. Opening it makes the address the user's proven one. */
export async function sendEmailProof(
  mail: Mailer,
  tx: Db,
  { userId, email, replaces }: EmailProof,
): Promise<void> {
  const isChange = replaces !== null;
  const { secret } = newSecret();
  await insertProof(tx, {
    identifier: identifierOf(emailPrefix, secret),
    value: JSON.stringify({ userId, email, replaces }),
    minutes: proofMinutes,
  });
  await mail.send(tx, {
    to: email,
    kind: 'email_proof',
    workspaceId: null,
    subject: isChange ? 'Confirm your new email address' : 'Confirm your email address',
    content: {
      title: isChange ? 'Confirm your new email address' : 'Confirm your email address',
      paragraphs: [
        isChange
          ? `You asked to use ${email} for your account in Email Manager. Confirm that it is yours.`
          : `Confirm that ${email} is yours.`,
        'The link works once, within a day, for whoever is signed in to the account.',
      ],
      button: { label: 'Confirm the address', url: `${mail.publicUrl}/confirm-email?token=${secret}` },
      reason: 'You get this mail because somebody typed your address. If it was not you, do nothing.',
    },
  });
}

/**
 * Sends a link to `email` that gives it to the account, and tells the address that the account has
 * now. A taken address gets no link, and the caller is not told so. Returns the account.
 */
export async function sendEmailChange(
  mail: Mailer,
  tx: Db,
  { userId, sessionId, email }: { userId: number; sessionId: number; email: string },
): Promise<AccountRow> {
  const account = await lockAccountInSession(tx, userId, sessionId);
  const replaces = account.email;
  if (!(await selectAccountByEmail(tx, email))) await sendEmailProof(mail, tx, { userId, email, replaces });
  await mail.send(tx, askedNotice(replaces, email));
  return account;
}

const askedNotice = (from: string, to: string) => ({
  to: from,
  kind: 'notice' as const,
  workspaceId: null,
  subject: 'Somebody asked to change your email address',
  content: {
    title: 'Somebody asked to change your email address',
    paragraphs: [
      `Somebody signed in to your account in Email Manager asked to use ${to} instead of ${from}. It changes once the link sent to ${to} is opened.`,
      'If that was not you, set a new password with "Forgot your password?" on the sign-in page at once, or end all other sessions under "Your account" if you sign in without one. The link then stops working.',
    ],
    reason: 'You get this mail because it concerns the security of your account.',
  },
});

const otherAccount =
  'This link is for another account. Sign in to the account that asked for it, then open the link again. If you did not ask for it, do nothing.';

const parsed = (value: string) => JSON.parse(value) as EmailProof;

/**
 * The account of this user with the address that the secret of such a link proves; undefined when
 * it was used or has expired. A proof for an address that the account no longer has, or that would
 * replace one it no longer has, proves nothing.
 *
 * Throws `forbidden`, and leaves the link usable, when it is for another account: anybody can ask
 * for a link to a stranger's mailbox, and whoever opens it there must not give their address away.
 */
export async function takeEmailProof(
  tx: Db,
  userId: number,
  secret: string,
): Promise<(Omit<EmailProof, 'userId'> & { account: AccountRow }) | undefined> {
  const identifier = identifierOf(emailPrefix, secret);
  const value = await takeLocked(tx, identifier, (seen) => {
    if (parsed(seen).userId !== userId) throw new AppError('forbidden', otherAccount);
    return userId;
  });
  if (value === undefined) return undefined;
  const { email, replaces } = parsed(value);
  const account = await selectAccount(tx, userId);
  return account?.email === (replaces ?? email) ? { account, email, replaces } : undefined;
}

/**
 * Ends what would give a user another address. Whoever knew the password may have asked for that,
 * and would otherwise take the account back after the password is a new one. The user stays locked
 * until the transaction ends, so that whoever asks at this moment is refused afterwards.
 */
export async function endEmailChanges(tx: Db, userId: number): Promise<void> {
  await lockUser(tx, userId);
  await deleteEmailChanges(tx, emailPrefix, userId);
}
