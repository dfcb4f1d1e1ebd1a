import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';

/** Adds a line. There is no query that changes or removes one, and the database would refuse it. */
export async function insertAuditLine(
  tx: TenantTx,
  workspaceId: number,
  line: { actor: string | null; action: string; subject: string; details: string },
): Promise<void> {
  await sql`
    insert into audit_log (workspace_id, actor, action, subject, details, created_at)
    values (${workspaceId}, ${line.actor}, ${line.action}, ${line.subject}, ${line.details}::jsonb, clock_timestamp())`.execute(
    tx,
  );
}
