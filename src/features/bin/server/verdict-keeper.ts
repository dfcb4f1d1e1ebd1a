import type { Fragment, TenantTx } from '#platform/server/database.ts';

/**
 * What the bin needs from the feature that keeps verdicts. The composition passes it in. The usual
 * order of locks stays: removals, rows of contacts, verdicts, rollups.
 */
export interface VerdictKeeper {
  /**
   * Forgets what is known about the contacts in `gone`, as (id, local, domain, state), which were
   * just removed. Takes the verdict lock.
   */
  forget(tx: TenantTx, workspaceId: number, gone: Fragment): Promise<void>;
  /**
   * Takes the verdict lock before restored contacts are counted, because they may be judged
   * afterwards.
   */
  hold(tx: TenantTx, workspaceId: number): Promise<void>;
  /** Judges contacts that just came back, if the workspace has verdicts at all. */
  judge(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<void>;
}
