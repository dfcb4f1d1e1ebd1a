import { createHash } from 'node:crypto';
import type { SendReference } from '#features/messages/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { judgeMail } from '../../rules/mails/judge-mail.ts';
import type { BounceBook } from '../bounces.ts';
import { type KeepingLimit, keepMail } from './keep-mail.ts';
import { readMail } from './read-mail.ts';

/** What of a mail is kept for reading. */
const mostSource = 65_536;
const mostText = 4_000;

interface ReceivingContext {
  db: Database;
  book: BounceBook;
  /** Counts a mail that is taken and not kept. */
  countNotKept(limit: KeepingLimit): void;
}

/**
 * Takes down what a mail says of the messages that it came back for. One beyond what is kept for
 * reading counts as taken, because a refusal would only bring it again.
 */
export async function receiveMail(
  { db, book, countNotKept }: ReceivingContext,
  { raw, sends, source }: { raw: Buffer; sends: readonly SendReference[]; source: 'listener' | 'mailbox' },
): Promise<void> {
  const mail = await readMail(raw);
  const judged = mail ? judgeMail(mail) : ({ is: 'unclear' } as const);
  if (judged.is === 'no_bounce') return;
  for (const { workspaceId, mailingId, sendId } of sends)
    await inBackground(async () => {
      const limit = await db.asTenant(workspaceId, async (tx) => {
        if (judged.is === 'unclear') {
          const send = await book.find(tx, workspaceId, { mailingId, sendId });
          if (!send) return null;
          const { contactId, local, domain } = send;
          return keepMail(tx, workspaceId, {
            ...{ mailingId, sendId, contactId, local, domain },
            digest: createHash('sha256').update(raw).digest(),
            sender: storableText(mail?.from ?? '').slice(0, 320),
            subject: storableText(mail?.subject ?? '').slice(0, 500),
            text: storableText(mail?.text ?? '').slice(0, mostText),
            source: storableText(raw.toString('utf8', 0, mostSource)),
          });
        }
        const verdict = judged.is === 'complaint' ? 'complaint' : judged.verdict;
        await book.note(tx, workspaceId, [{ mailingId, sendId, verdict, source, said: judged.said }]);
        return null;
      });
      if (limit) countNotKept(limit);
      book.wake(workspaceId);
    });
}
