import { answersCall, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { listAllMail, listOutbox, type Mail, type Outbox, sendMailAgain } from '../contract.ts';
import type { MailConfig } from './mail-config.ts';
import { type MailRow, selectMail } from './queries.ts';
import { recordSentAgain } from './record-sent-again.ts';
import { sendAgain } from './send-again.ts';
import { type LinksHidden, type OutboxReader, shownTo, shownToAdministrator } from './shown.ts';

export interface MailRouteParts {
  db: Database;
  config: MailConfig;
  /** Undefined where nobody invites. */
  linksHidden: LinksHidden | undefined;
  /** Says that some mail became due. */
  hurry(): void;
}

type Page = { before?: number | undefined; limit: number };

const readerOf = ({ workspaceId, caller }: { workspaceId: number; caller: Caller }): OutboxReader => ({
  workspaceId,
  role: caller.workspace?.role ?? 'viewer',
});

export function registerMail(router: Router, { db, config, linksHidden, hurry }: MailRouteParts): void {
  const hasMailServer = config.smtpUrl !== undefined;
  const page = async (
    workspaceId: number | null,
    { before, limit }: Page,
    show: (rows: MailRow[]) => Mail[] | Promise<Mail[]>,
  ): Promise<Outbox> => {
    const rows = await selectMail(db.system, workspaceId, { before: before ?? null, limit: limit + 1 });
    const items = await show(rows.slice(0, limit));
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null, hasMailServer };
  };
  router.handle(listOutbox, (call) => {
    call.reply.header('cache-control', 'no-store');
    return page(call.workspaceId, call.query, (rows) =>
      shownTo(db.system, readerOf(call), rows, { hasMailServer, linksHidden }),
    );
  });
  router.handle(listAllMail, ({ query, reply }) => {
    reply.header('cache-control', 'no-store');
    return page(null, query, (rows) => rows.map((row) => shownToAdministrator(row, hasMailServer)));
  });
  router.handle(sendMailAgain, async (call) => {
    const { workspaceId, caller, params, reply } = call;
    reply.header('cache-control', 'no-store');
    const again = async (tx: TenantTx) => {
      const mail = await sendAgain(tx, config, params.id, workspaceId);
      await recordSentAgain(tx, workspaceId, mail, caller.email);
      const [shown] = await shownTo(tx, readerOf(call), [mail], { hasMailServer, linksHidden });
      return shown as Mail;
    };
    const mail = await db.asTenant(workspaceId, again, answersCall);
    hurry();
    return mail;
  });
}
