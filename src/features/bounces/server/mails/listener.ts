import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type ReturnAddresses, type SendReference, sendOfAddress } from '#features/messages/server/index.ts';
import type { Log } from '#platform/server/logging.ts';
import { sendQuotedIn } from './read-mail.ts';

/** A bounce is never larger than what it brings back. */
const mostBytes = 10 * 1024 * 1024;
/** What is kept of a mail: its reports come first, and what it brings back last. */
const readBytes = 1024 * 1024;
/** Mails come one or two at a time. */
const mostRecipients = 20;
const mostConnections = 50;

export interface ListenerOptions {
  addresses: ReturnAddresses;
  /** Answers once what the mail says is safe. */
  receive(mail: { raw: Buffer; sends: readonly SendReference[] }): Promise<void>;
  log: Log;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/**
 * Takes mail to the return addresses of messages that we have sent, and nothing else. It sends
 * nothing, so no bounce goes round in circles.
 */
export async function openListener(
  { addresses, receive, log }: ListenerOptions,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const server = new SMTPServer({
    name: addresses.domain,
    banner: 'takes bounces',
    size: mostBytes,
    authOptional: true,
    // Its certificate would be one that everybody has.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: mostConnections,
    socketTimeout: 60_000,
    closeTimeout: 2_000,
    logger: false,
    onRcptTo({ address }, { envelope }, done) {
      if (envelope.rcptTo.length >= mostRecipients) return done(refusal(452, '4.5.3 Too many recipients'));
      if (sendOfAddress(addresses, address) || isForPostmaster(addresses.domain, address)) return done();
      done(refusal(550, '5.1.1 This address takes no mail'));
    },
    onData(stream, session, done) {
      take(stream, session)
        .then(() => done(null, '2.0.0 Taken'))
        .catch((error: Error & { responseCode?: number }) => {
          if (error.responseCode === undefined) log.error({ err: error }, 'a bounce could not be taken');
          done(error.responseCode === undefined ? refusal(451, '4.3.0 Try again later') : error);
        });
    },
  });

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await beginningOf(stream);
    if (stream.sizeExceeded) throw refusal(552, '5.3.4 The message is too large');
    const named = session.envelope.rcptTo.flatMap(({ address }) => sendOfAddress(addresses, address) ?? []);
    const quoted = named.length > 0 ? null : sendQuotedIn(addresses, raw.toString('latin1'));
    const sends = quoted ? [quoted] : named;
    if (sends.length === 0) throw refusal(550, '5.7.1 It brings back no message of ours');
    await receive({ raw, sends });
  }

  server.on('error', (error) => log.warn({ err: error }, 'the listener for bounces has had trouble'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  const bound = server.server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** RFC 5321, section 4.5.1, and RFC 2142. Complaints arrive there too. */
const isForPostmaster = (domain: string, address: string): boolean =>
  /^(postmaster|abuse)(@|$)/i.test(address) &&
  (!address.includes('@') || address.toLowerCase().endsWith(`@${domain}`));

/** Reads all of it, and keeps its beginning. */
async function beginningOf(stream: SMTPServerDataStream): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < readBytes) kept.push(chunk.subarray(0, readBytes - length));
    length += chunk.length;
  }
  return Buffer.concat(kept);
}
