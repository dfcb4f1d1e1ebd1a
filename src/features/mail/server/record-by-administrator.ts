import { sql } from 'kysely';
import { type SystemDb, type TenantTx, tenantStatement } from '#platform/server/database.ts';
import type { MailRow } from './queries.ts';
import { recordSentAgain } from './record-sent-again.ts';

/**
 * Records in the audit log of the mail's workspace that the administrator sent it again. Mail about
 * an account has no workspace.
 */
export async function recordByAdministrator(tx: SystemDb, mail: MailRow, actor: string): Promise<void> {
  const { workspaceId } = mail;
  if (workspaceId === null) return;
  await sql.raw(tenantStatement(workspaceId)).execute(tx);
  await recordSentAgain(tx as TenantTx, workspaceId, mail, actor, { byAdministrator: true });
}
