import { createHash } from 'node:crypto';
import type { SendReference } from '#features/messages/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { judgeMail } from '../../rules/mails/judge-mail.ts';
import type { BounceBook } from '../bounces.ts';
import { insertMail } from './mail-queries.ts';
import { readMail } from './read-mail.ts';

/** What of a mail is kept for reading. */
const mostSource = 65_536;
const mostText = 4_000;

/** Takes down what a mail says of the messages that it came back for. */
export async function receiveMail(
  { db, book }: { db: Database; book: BounceBook },
  { raw, sends, source }: { raw: Buffer; sends: readonly SendReference[]; source: 'listener' | 'mailbox' },
): Promise<void> {
  const mail = await readMail(raw);
  const judged = mail ? judgeMail(mail) : ({ is: 'unclear' } as const);
  if (judged.is === 'no_bounce') return;
  for (const { workspaceId, mailingId, sendId } of sends)
    await inBackground(async () => {
      await db.asTenant(workspaceId, async (tx) => {
        if (judged.is === 'unclear') {
          if (await book.knows(tx, workspaceId, { mailingId, sendId }))
            await insertMail(tx, workspaceId, {
              ...{ mailingId, sendId, digest: createHash('sha256').update(raw).digest() },
              sender: storableText(mail?.from ?? '').slice(0, 320),
              subject: storableText(mail?.subject ?? '').slice(0, 500),
              text: storableText(mail?.text ?? '').slice(0, mostText),
              source: storableText(raw.toString('utf8', 0, mostSource)),
            });
          return;
        }
        const verdict = judged.is === 'complaint' ? 'complaint' : judged.verdict;
        await book.note(tx, workspaceId, [{ mailingId, sendId, verdict, source, said: judged.said }]);
      });
      book.wake(workspaceId);
    });
}
