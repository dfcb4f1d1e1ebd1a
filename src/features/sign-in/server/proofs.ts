import type { Mailer } from '#features/mail/server/index.ts';
import { newSecret, secretHash } from '#platform/server/secret-link.ts';
import { type Db, insertProof, takeProof } from './queries.ts';
import { type AccountRow, selectAccount } from './user-queries.ts';

/** What a stored proof is for: the start of its identifier. */
export const resetPrefix = 'reset-password:';
const emailPrefix = 'prove-email:';
/** The library's own prefix: devices that need no second factor. */
export const trustPrefix = 'trust-device-';

const proofMinutes = 24 * 60;

export const identifierOf = (prefix: string, secret: string): string =>
  `${prefix}${secretHash(secret).toString('base64url')}`;

/** What the link in a mail proves. */
interface EmailProof {
  userId: number;
  email: string;
  /** The address will replace another. Otherwise it is the account's own, not yet proven. */
  isChange: boolean;
}

/** Sends a link to `email`. Opening it makes the address the user's proven one. */
export async function sendEmailProof(
  mail: Mailer,
  tx: Db,
  { userId, email, isChange }: EmailProof,
): Promise<void> {
  const { secret } = newSecret();
  await insertProof(tx, {
    identifier: identifierOf(emailPrefix, secret),
    value: JSON.stringify({ userId, email, isChange }),
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
        'The link works once, within a day.',
      ],
      button: { label: 'Confirm the address', url: `${mail.publicUrl}/confirm-email?token=${secret}` },
      reason: 'You get this mail because somebody typed your address. If it was not you, do nothing.',
    },
  });
}

/**
 * Whose address the secret of such a link proves; undefined when it was used or has expired. A
 * proof for an address that the account no longer has proves nothing.
 */
export async function takeEmailProof(
  tx: Db,
  secret: string,
): Promise<(Omit<EmailProof, 'userId'> & { account: AccountRow }) | undefined> {
  const value = await takeProof(tx, identifierOf(emailPrefix, secret));
  if (value === undefined) return undefined;
  const { userId, email, isChange } = JSON.parse(value) as EmailProof;
  const account = await selectAccount(tx, userId);
  return account && (isChange || account.email === email) ? { account, email, isChange } : undefined;
}
