import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { recordAudit } from '#features/audit/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import { type SystemDb, type TenantTx, tenantStatement } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { MailKind } from '../contract.ts';
import {
  isFinal,
  type MailContent,
  mailHtml,
  mailText,
  oneLine,
  retryMinutes,
  sendingAgainProblem,
} from '../rules.ts';
import { claimDue, insertMail, lockMail, type MailRow, makeDue, markFailed, markSent } from './queries.ts';

export type MailConfig = Pick<Config, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;

export interface NewMail {
  to: string;
  kind: MailKind;
  /** The workspace that the mail is from; null for mail about an account. */
  workspaceId: number | null;
  subject: string;
  content: MailContent;
}

/** A mail server that does not answer must not hold up the queue. */
const smtpTimeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/**
 * Puts a mail into the outbox, in the caller's transaction if there is one. Without a mail server
 * it stays there, and its link goes to the server's log, so that whoever runs the installation can
 * always get it.
 */
export async function putInOutbox(
  db: SystemDb,
  { smtpUrl }: MailConfig,
  log: Log,
  { to, kind, workspaceId, subject, content }: NewMail,
): Promise<void> {
  const link = content.button?.url ?? null;
  const line = oneLine(subject);
  await insertMail(db, {
    workspaceId,
    kind,
    recipient: to,
    subject: storableText(line),
    text: storableText(mailText(content)),
    html: storableText(mailHtml(content)),
    link,
    status: smtpUrl === undefined ? 'kept' : 'waiting',
  });
  if (smtpUrl === undefined)
    log.info(
      { to, subject: line, ...(link ? { link } : {}) },
      'No mail server is set up: a mail is kept in the outbox',
    );
}

/**
 * Makes a mail that was given up due once more, in the caller's transaction. Its row is locked
 * meanwhile: of two who ask at the same moment one is refused, and so is anybody who asks while it
 * is being sent.
 */
export async function sendAgain(
  tx: SystemDb,
  { smtpUrl }: MailConfig,
  id: number,
  workspaceId: number | null,
): Promise<MailRow> {
  const mail = await lockMail(tx, id, workspaceId);
  if (!mail) throw new AppError('not_found', 'There is no such mail. It may have been forgotten by now.');
  const problem = sendingAgainProblem(mail, smtpUrl !== undefined);
  if (problem !== null) throw new AppError('conflict', problem);
  return makeDue(tx, id);
}

/** Records it in the audit log of the mail's workspace. */
export async function recordSentAgain(
  tx: TenantTx,
  workspaceId: number,
  { id, recipient, subject }: MailRow,
  actor: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'mail.sent_again',
    subject: `mail:${id}`,
    details: { to: recipient, subject, ...more },
  });
}

/** The same when the administrator did it. Mail about an account has no workspace. */
export async function recordByAdministrator(tx: SystemDb, mail: MailRow, actor: string): Promise<void> {
  const { workspaceId } = mail;
  if (workspaceId === null) return;
  await sql.raw(tenantStatement(workspaceId)).execute(tx);
  await recordSentAgain(tx as TenantTx, workspaceId, mail, actor, { byAdministrator: true });
}

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
