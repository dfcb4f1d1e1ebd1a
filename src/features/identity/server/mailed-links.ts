import type { Mailer } from '#features/mail/server/index.ts';
import { insertProof } from './account-queries.ts';
import type { Db } from './queries.ts';
import { newSecret, secretHash } from './secret-link.ts';

/** What a kept proof is for: the head of its identifier. */
export const resetPrefix = 'reset-password:';
export const emailPrefix = 'prove-email:';
/** The library's own: devices that need no second factor. */
export const trustPrefix = 'trust-device-';

const proofMinutes = 24 * 60;

export const identifierOf = (prefix: string, secret: string): string =>
  `${prefix}${secretHash(secret).toString('base64url')}`;

/** Sends a link to `email` that, when opened, makes it the user's proven address. */
export async function sendEmailProof(
  mail: Mailer,
  tx: Db,
  { userId, email, isChange }: { userId: number; email: string; isChange: boolean },
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
