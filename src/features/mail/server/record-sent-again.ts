import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { MailRow } from './queries.ts';

/** Records in the audit log of the mail's workspace that it is sent again. */
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
