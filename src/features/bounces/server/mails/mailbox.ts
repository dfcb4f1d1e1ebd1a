import { ImapFlow } from 'imapflow';
import type { ReturnAddresses, SendReference } from '#features/messages/server/index.ts';
import type { Log } from '#platform/server/logging.ts';
import { sendQuotedIn } from './read-mail.ts';

/** What is kept of a mail: its reports come first, and what it brings back last. */
const readBytes = 1024 * 1024;
/** Mails in one run. The next run reads the rest. */
const mostAtOnce = 2_000;
/** After so many failures in a row, it is the database or the connection and not a mail. */
const mostFailures = 3;
/** Where mails go that were read, and those that are about no message of ours. */
const folders = { read: 'Read bounces', other: 'Other mail' } as const;

export interface MailboxOptions {
  /** `imaps://user:password@host/INBOX`, encoded as URLs are. */
  url: string;
  addresses: ReturnAddresses;
  /** Answers once what the mail says is safe. */
  receive(mail: { raw: Buffer; sends: readonly SendReference[] }): Promise<void>;
  log: Log;
}

/**
 * Reads the mails in an IMAP mailbox and moves each to a folder once what it says is recorded. One
 * that fails stays where it is for the next time. A mail that was recorded and not moved is read
 * again, which changes nothing. Returns how many were about messages of ours.
 */
export async function readMailbox(options: MailboxOptions, signal: AbortSignal): Promise<number> {
  const { client, path } = clientOf(options.url);
  // Without a listener, a broken connection would end the process. Whatever waits for it fails.
  client.on('error', (error) => options.log.warn({ err: error }, 'the mailbox for bounces has had trouble'));
  const hangUp = () => client.close();
  signal.addEventListener('abort', hangUp, { once: true });
  try {
    await client.connect();
    const moveTo = {
      read: await folderNamed(client, folders.read),
      other: await folderNamed(client, folders.other),
    };
    await client.mailboxOpen(path);
    const found = await client.search({ all: true }, { uid: true });
    const uids = Array.isArray(found) ? found.slice(0, mostAtOnce) : [];
    return await readAll(client, options, { uids, moveTo, signal });
  } finally {
    signal.removeEventListener('abort', hangUp);
    await client.logout().catch(() => client.close());
  }
}

function clientOf(text: string): { client: ImapFlow; path: string } {
  const url = new URL(text);
  const secure = url.protocol === 'imaps:';
  const client = new ImapFlow({
    ...{ host: url.hostname, port: url.port === '' ? (secure ? 993 : 143) : Number(url.port), secure },
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    // It would log what mails say.
    logger: false,
    disableAutoIdle: true,
    ...{ connectionTimeout: 20_000, greetingTimeout: 10_000, socketTimeout: 60_000 },
  });
  return { client, path: decodeURIComponent(url.pathname.slice(1)) || 'INBOX' };
}

/** The path of a folder, which is made when it is not there. */
async function folderNamed(client: ImapFlow, name: string): Promise<string> {
  const found = (await client.list()).find((folder) => folder.name === name);
  return found?.path ?? (await client.mailboxCreate(name)).path;
}

async function readAll(
  client: ImapFlow,
  { addresses, receive, log }: MailboxOptions,
  {
    uids,
    moveTo,
    signal,
  }: { uids: readonly number[]; moveTo: Record<'read' | 'other', string>; signal: AbortSignal },
): Promise<number> {
  let ours = 0;
  let failures = 0;
  for (const uid of uids) {
    signal.throwIfAborted();
    const mail = await client.fetchOne(uid, { source: { maxLength: readBytes } }, { uid: true });
    if (!mail || mail.source === undefined) continue;
    const send = sendNamedIn(addresses, mail.source);
    try {
      if (send) await receive({ raw: mail.source, sends: [send] });
      failures = 0;
    } catch (error) {
      if (++failures >= mostFailures) throw error;
      log.warn({ err: error }, 'a mail in the mailbox for bounces could not be taken, and stays there');
      continue;
    }
    if (send) ours += 1;
    const to = send ? moveTo.read : moveTo.other;
    if (!(await client.messageMove(uid, to, { uid: true })))
      throw new Error(`The mailbox for bounces refuses to move a mail to “${to}”.`);
  }
  return ours;
}

/** The send that a mail came back for: its head names the return path, or its body quotes it. */
function sendNamedIn(addresses: ReturnAddresses, raw: Buffer): SendReference | null {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end < 0 ? undefined : end).replace(/\r\n[ \t]+/g, ' ');
  const fields = head.matchAll(/^(?:delivered-to|x-original-to|envelope-to|to):(.*)$/gim);
  const named = Array.from(fields, ([, value]) => value).join('\n');
  return sendQuotedIn(addresses, named) ?? sendQuotedIn(addresses, text);
}
