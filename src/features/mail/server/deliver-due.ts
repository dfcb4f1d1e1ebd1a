import { createTransport } from 'nodemailer';
import { asciiAddress, composer } from '#features/messages/server/index.ts';
import type { SystemDb } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { untilReachable } from '#platform/server/work/stopped.ts';
import { isFinal, meetsEveryMail, oneLine, type Refusal, retryMinutes } from '../rules.ts';
import type { MailConfig } from './mail-config.ts';
import { claimNext, type DueMail, markFailed, markSent } from './queries.ts';

/** A mail server that does not answer must not hold up the queue. */
const smtpTimeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/**
 * Passes due mail to the mail server, one after the other, until none is left or `signal` says
 * stop, or the server takes none of ours. The rest then costs no attempt.
 */
export async function deliverDue(
  db: SystemDb,
  { smtpUrl, mailFrom }: MailConfig,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  if (smtpUrl === undefined) return 0;
  const transport = createTransport({ url: smtpUrl, ...smtpTimeouts });
  const sender = envelopeAddress(mailFrom);
  const compose = composer({
    from: { name: 'Email Manager', address: mailFrom },
    replyTo: null,
    feedbackId: null,
    headers: [['Auto-Submitted', 'auto-generated']],
  });
  let sent = 0;
  try {
    while (!signal.aborted) {
      const mail = await claimNext(db);
      if (!mail) break;
      try {
        const envelope = { from: sender, to: [envelopeAddress(mail.recipient)] };
        const { raw } = compose(mail, {
          to: { name: '', address: mail.recipient },
          messageId: messageIdOf(mail, sender),
          date: new Date(),
          unsubscribeUrl: null,
        });
        await transport.sendMail({ envelope, raw });
      } catch (error) {
        const refusal = error as Error & Refusal;
        const isUseless = error instanceof UnusableAddress || isFinal(refusal);
        const minutes = isUseless ? null : retryMinutes(mail.attempts);
        await markFailed(db, mail, storableText(oneLine(refusal.message).slice(0, 500)), minutes);
        log.warn(
          { mail: mail.id, attempts: mail.attempts, err: error },
          'A mail was not taken by the mail server',
        );
        if (meetsEveryMail(refusal)) break;
        continue;
      }
      // The server has it. What is not written down would leave again.
      await untilReachable(() => markSent(db, mail), { goesOn: () => !signal.aborted });
      sent += 1;
    }
  } finally {
    transport.close();
  }
  return sent;
}

/** No mail server can be given this address, however often it is tried. */
class UnusableAddress extends Error {
  constructor(address: string) {
    super(`No mail server can be given the address ${address}.`);
  }
}

function envelopeAddress(address: string): string {
  const written = asciiAddress(address);
  if (written === null) throw new UnusableAddress(address);
  return written.address;
}

/** The same at each try, so that a server that took it twice can tell. */
const messageIdOf = ({ id, createdAt }: DueMail, sender: string): string =>
  `outbox.${id}.${createdAt.getTime().toString(36)}${sender.slice(sender.lastIndexOf('@'))}`;
