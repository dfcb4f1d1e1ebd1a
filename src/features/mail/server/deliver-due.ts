import { createTransport } from 'nodemailer';
import type { SystemDb } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { isFinal, oneLine, retryMinutes } from '../rules.ts';
import type { MailConfig } from './mail-config.ts';
import { claimDue, markFailed, markSent } from './queries.ts';

/** A mail server that does not answer must not hold up the queue. */
const smtpTimeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/**
 * Passes due mail to the mail server, one after the other, until none is left or `signal` says
 * stop.
 */
export async function deliverDue(
  db: SystemDb,
  { smtpUrl, mailFrom }: MailConfig,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  if (smtpUrl === undefined) return 0;
  const transport = createTransport({ url: smtpUrl, ...smtpTimeouts });
  let sent = 0;
  try {
    while (!signal.aborted) {
      const [mail] = await claimDue(db, 1);
      if (!mail) break;
      try {
        await transport.sendMail({
          from: { name: 'Email Manager', address: mailFrom },
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        await markSent(db, mail.id);
        sent += 1;
      } catch (error) {
        const { message, responseCode } = error as Error & { responseCode?: number };
        const minutes = isFinal(responseCode) ? null : retryMinutes(mail.attempts);
        await markFailed(db, mail.id, storableText(oneLine(message).slice(0, 500)), minutes);
        log.warn(
          { mail: mail.id, attempts: mail.attempts, err: error },
          'A mail was not taken by the mail server',
        );
      }
    }
  } finally {
    transport.close();
  }
  return sent;
}
