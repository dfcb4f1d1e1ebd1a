import type { SystemDb } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { storableText } from '#platform/server/storable-text.ts';
import type { MailKind } from '../contract.ts';
import { type MailContent, mailHtml, mailText, oneLine } from '../rules.ts';
import type { MailConfig } from './mail-config.ts';
import { insertMail } from './queries.ts';

interface Envelope {
  to: string;
  kind: MailKind;
  /** The workspace that the mail is from; null for mail about an account. */
  workspaceId: number | null;
  subject: string;
}

type Words = { content: MailContent } | { message: { text: string; html: string } };

/** A mail of the product's own words, or one that was written whole: a template's test. */
export type NewMail = Envelope & Words;

/**
 * Puts a mail into the outbox, in the caller's transaction if there is one. Without a mail server
 * it stays there, and its link goes to the server's log, so that whoever runs the installation can
 * always get it.
 */
export async function putInOutbox(
  db: SystemDb,
  { smtpUrl }: MailConfig,
  log: Log,
  { to, kind, workspaceId, subject, ...mail }: NewMail,
): Promise<void> {
  const { text, html, link } = written(mail);
  const line = oneLine(subject);
  await insertMail(db, {
    workspaceId,
    kind,
    recipient: to,
    subject: storableText(line),
    text: storableText(text),
    html: storableText(html),
    link,
    status: smtpUrl === undefined ? 'kept' : 'waiting',
  });
  if (smtpUrl === undefined)
    log.info(
      { to, subject: line, ...(link ? { link } : {}) },
      'No mail server is set up: a mail is kept in the outbox',
    );
}

function written(mail: Words): { text: string; html: string; link: string | null } {
  if ('message' in mail) return { ...mail.message, link: null };
  const { content } = mail;
  return { text: mailText(content), html: mailHtml(content), link: content.button?.url ?? null };
}
