import type { Retention } from '#features/settings/contract.ts';
import type { Router } from '#platform/server/http.ts';
import { expireChecked, expireReceipts } from './record-queries.ts';
import { recoverImports } from './recovery.ts';
import { registerImports } from './routes.ts';
import { ImportRunner, type RunnerOptions } from './runner.ts';

export interface Imports {
  register(router: Router): void;
  /** Takes up what a dead process left; see `recoverImports`. */
  recover(): Promise<number>;
  /** Looks for abandoned imports now and then. */
  startRecovery(): void;
  /** Forgets files that were only tried, and receipts, when the workspace has kept them as long as it wants. */
  tidy(workspaceId: number, keep: Pick<Retention, 'uploadDays' | 'receiptDays'>): Promise<void>;
  stop(): Promise<void>;
}

const recoveryEveryMs = 5_000;

export function createImports(options: RunnerOptions): Imports {
  const context = { ...options, runner: new ImportRunner(options) };
  let timer: NodeJS.Timeout | undefined;
  const recover = () =>
    recoverImports(context).catch((error: unknown) => {
      options.log.warn({ err: error }, 'could not look for abandoned imports');
      return 0;
    });
  return {
    register: (router) => registerImports(router, context),
    recover,
    startRecovery() {
      timer = setInterval(() => void recover(), recoveryEveryMs);
      void recover();
    },
    async tidy(workspaceId, keep) {
      const keys = await options.db.asTenant(workspaceId, async (tx) => [
        ...(await expireChecked(tx, workspaceId, keep.uploadDays)),
        ...(await expireReceipts(tx, workspaceId, keep.receiptDays)),
      ]);
      for (const key of keys) if (key) await options.files.remove(key);
    },
    async stop() {
      clearInterval(timer);
      await context.runner.stop();
    },
  };
}
