import { asciiAddress, composer } from '#features/messages/server/index.ts';
import {
  ConnectError,
  replyInWords,
  SmtpConnection,
  type SmtpServer,
} from '#features/sending/server/index.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { checkedAddress, ownName } from './connect.ts';

/** How long somebody waits for the answer. */
const mostMs = 10_000;
const timeouts = { connectMs: 5_000, replyMs: 5_000, endMs: 8_000 };

export interface Trial {
  server: SmtpServer;
  allowsPrivate: boolean;
  /** A message to send over it. Null: only connect and sign in. */
  message: { from: string; to: string } | null;
}

/** Connects and signs in, and says in words what came of it. */
export async function tryOut(trial: Trial): Promise<{ ok: boolean; answer: string }> {
  const { host, port } = trial.server;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const words = `${host}:${port} did not answer within ${mostMs / 1000} seconds`;
    timer = setTimeout(() => reject(new ConnectError(words, false)), mostMs);
  });
  try {
    return await Promise.race([visit(trial), late]);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { ok: false, answer: sentence(storableText(error.message)) };
  } finally {
    clearTimeout(timer);
  }
}

async function visit({ server, allowsPrivate, message }: Trial): Promise<{ ok: boolean; answer: string }> {
  const { host, port, tls, user } = server;
  const began = performance.now();
  const address = allowsPrivate ? undefined : await checkedAddress(host);
  const connection = await SmtpConnection.open(server, {
    ...{ name: ownName, timeouts },
    ...(address === undefined ? {} : { address }),
  });
  try {
    const ms = Math.round(performance.now() - began);
    const how = tls === 'never' ? 'not encrypted' : 'encrypted';
    const who = user === null ? 'takes messages without a sign-in' : `took the sign-in of ${user}`;
    const answer = `${host}:${port} answered in ${ms} ms, ${how}, and ${who}.`;
    if (message === null) return { ok: true, answer };
    const sent = await sendTest(connection, message);
    return { ok: sent.ok, answer: `${answer} ${sent.words}` };
  } finally {
    connection.close();
  }
}

async function sendTest(
  connection: SmtpConnection,
  { from, to }: { from: string; to: string },
): Promise<{ ok: boolean; words: string }> {
  const [sender, recipient] = [asciiAddress(from), asciiAddress(to)];
  if (!sender || !recipient)
    return { ok: false, words: `No mail server can be given the address ${sender ? to : from}.` };
  const compose = composer({
    from: { name: 'Email Manager', address: from },
    ...{ replyTo: null, feedbackId: null, headers: [['Auto-Submitted', 'auto-generated']] },
  });
  const text = 'This message left through the SMTP server that you are testing. Nothing is left to do.';
  const { raw } = compose(
    { subject: 'Test of your SMTP server', html: `<p>${text}</p>`, text },
    {
      to: { name: '', address: to },
      messageId: `smtp-test.${Date.now().toString(36)}${sender.address.slice(sender.address.lastIndexOf('@'))}`,
      date: new Date(),
      unsubscribeUrl: null,
    },
  );
  const outcome = await connection.send({
    ...{ from: sender.address, to: recipient.address, raw: Buffer.from(raw) },
    needsSmtpUtf8: sender.needsSmtpUtf8 || recipient.needsSmtpUtf8,
  });
  if (outcome.kind === 'accepted') return { ok: true, words: `It took the message to ${to}.` };
  const why = outcome.kind === 'refused' ? replyInWords(outcome.reply) : outcome.why;
  return { ok: false, words: sentence(storableText(`But it did not take the message to ${to}: ${why}`)) };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
