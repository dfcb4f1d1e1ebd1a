import { answersCall, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { listAllMail, listOutbox, type Mail, type Outbox, sendMailAgain } from '../contract.ts';
import type { MailConfig } from './mail-config.ts';
import { type MailRow, selectMail } from './queries.ts';
import { recordSentAgain } from './record-sent-again.ts';
import { sendAgain } from './send-again.ts';

export interface MailRouteParts {
  db: Database;
  config: MailConfig;
  /** Says that some mail became due. */
  hurry(): void;
}

export function registerMail(router: Router, { db, config, hurry }: MailRouteParts): void {
  const hasMailServer = config.smtpUrl !== undefined;
  const page = async (
    workspaceId: number | null,
    { before, limit }: { before?: number | undefined; limit: number },
  ): Promise<Outbox> => {
    const rows = await selectMail(db.system, workspaceId, { before: before ?? null, limit: limit + 1 });
    const items = rows.slice(0, limit).map((row) => shown(row, hasMailServer));
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null, hasMailServer };
  };
  router.handle(listOutbox, ({ workspaceId, query, reply }) => {
    reply.header('cache-control', 'no-store');
    return page(workspaceId, query);
  });
  router.handle(listAllMail, ({ query, reply }) => {
    reply.header('cache-control', 'no-store');
    return page(null, query);
  });
  router.handle(sendMailAgain, async ({ workspaceId, caller, params, reply }) => {
    reply.header('cache-control', 'no-store');
    const again = async (tx: TenantTx) => {
      const mail = await sendAgain(tx, config, params.id, workspaceId);
      await recordSentAgain(tx, workspaceId, mail, caller.email);
      return shown(mail, hasMailServer);
    };
    const mail = await db.asTenant(workspaceId, again, answersCall);
    hurry();
    return mail;
  });
}

/**
 * With a mail server, mail reaches its reader, and links in mail about accounts are for that reader
 * alone. Without one, the administrator passes them on.
 */
export function shown(row: MailRow, hasMailServer: boolean): Mail {
  const { recipient: to, createdAt, nextTryAt, sentAt, text, html, link, workspaceId: _, ...rest } = row;
  const secret = hasMailServer && (row.kind === 'password_reset' || row.kind === 'email_proof');
  return {
    ...rest,
    to,
    text: secret ? null : text,
    // The product's own mail says the same in both.
    html: row.kind === 'test' ? html : null,
    link: secret ? null : link,
    createdAt: createdAt.toISOString(),
    nextTryAt: nextTryAt?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
  };
}
