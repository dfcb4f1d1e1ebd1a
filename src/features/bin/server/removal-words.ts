import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CleanedCounts } from './removal-queries.ts';
/** At most this many contacts are moved within the call, which takes about 0.2 s. */
export const fewContacts = 5_000;

export interface RemovalWords {
  /** The activity's name: 'Database Cleaned'. */
  action: string;
  icon: string;
  iconColor: 'error' | 'accent' | 'warning';
  /** The audit log's name: 'contacts.cleaned'. */
  audit: string;
  auditDetails?: Record<string, unknown>;
  /** One sentence about what was done. */
  done(result: RemovalResult): string;
}

export interface RemovalResult extends CleanedCounts {
  removed: number;
  removalId: number | null;
  /** What a clean leaves because an import's own policy let it in. */
  letIn?: number;
}

/** A result as calls and tasks report it, without the reasons of a clean. */
export const toResult = ({ removed, removalId }: RemovalResult) => ({ removed, removalId });

/** Writes the activity and the audit line of a removal that was done within the call. */
export async function recordDone(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  words: RemovalWords,
  result: { removed: number; removalId: number | null } & Partial<RemovalResult>,
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: words.audit,
    subject: result.removalId ? `removal:${result.removalId}` : 'contacts',
    details: { ...words.auditDetails, ...result },
  });
  await recordActivity(tx, workspaceId, {
    action: words.action,
    details: words.done({ duplicates: 0, invalid: 0, nonUk: 0, ...result }),
    status: 'completed',
    icon: words.icon,
    iconColor: words.iconColor,
    actor,
    ...(result.removalId ? { link: `/bin?removal=${result.removalId}` } : {}),
  });
}
