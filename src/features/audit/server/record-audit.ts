import type { TenantTx } from '#platform/server/database.ts';
import { storableJson, storableText } from '#platform/server/storable-text.ts';
import { insertAuditLine } from './queries.ts';

export interface AuditLine {
  /** The email address of who did it. Null when the product did it by itself. */
  actor: string | null;
  /** A verb in the past tense: 'suppression.lifted'. */
  action: string;
  /** What it was done to: 'suppression:12', 'settings'. */
  subject: string;
  /** What a later reader needs, in plain values. */
  details?: Record<string, unknown>;
}

/**
 * Adds a line to the workspace's audit log in the caller's transaction, so the line and its change
 * are committed together or not at all. Needs a transaction bound to the workspace.
 */
export async function recordAudit(tx: TenantTx, workspaceId: number, line: AuditLine): Promise<void> {
  await insertAuditLine(tx, workspaceId, {
    actor: line.actor,
    action: line.action,
    subject: storableText(line.subject),
    details: storableJson(line.details ?? {}),
  });
}
