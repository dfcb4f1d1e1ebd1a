import type { Fragment, TenantTx } from '#platform/server/database.ts';

/**
 * What the bin asks of whoever keeps verdicts on contacts; the composition passes it in. The order
 * of locks stays the one there is: removals, rows of contacts, verdicts, rollups.
 */
export interface VerdictKeeper {
  /**
   * Forgets what is known of the contacts that `gone` yields as (id, local, domain): they have just
   * gone. Takes the verdict lock.
   */
  forget(tx: TenantTx, workspaceId: number, gone: Fragment): Promise<void>;
  /**
   * Takes the verdict lock before contacts that come back are counted, because they may be judged
   * afterwards.
   */
  hold(tx: TenantTx, workspaceId: number): Promise<void>;
  /** Judges contacts that have just come back, where the workspace has verdicts at all. */
  judge(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<void>;
}
