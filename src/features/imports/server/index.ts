import type { Retention } from '#features/settings/contract.ts';
import type { Router } from '#platform/server/http.ts';
import { removeOrphans } from './orphans.ts';
import { expireChecked, expireReceipts } from './record-queries.ts';
import { recoverImports } from './recovery.ts';
import { registerImports } from './routes.ts';
import { ImportRunner, type RunnerOptions } from './runner.ts';
import { defineUndo } from './undo.ts';

export { type ImportFigures, importFigures } from './figures.ts';
export { importsEverywhere } from './oversight.ts';

export interface Imports {
  register(router: Router): void;
  /** Takes up what a dead process left; see `recoverImports`. */
  recover(): Promise<number>;
  /** Looks for abandoned imports now and then. */
  startRecovery(): void;
  /** Forgets files that were only tried, and receipts, when the workspace has kept them as long as it wants; answers how many. */
  tidy(workspaceId: number, keep: Pick<Retention, 'uploadDays' | 'receiptDays'>): Promise<number>;
  /** Removes files of the workspace that no record names, such as a crash leaves; answers how many. */
  removeOrphans(workspaceId: number): Promise<number>;
  stop(): Promise<void>;
}

const recoveryEveryMs = 5_000;

export function createImports(options: RunnerOptions): Imports {
  const context = { ...options, runner: new ImportRunner(options) };
  defineUndo(context);
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
      const named = keys.filter((key) => key !== null);
      for (const key of named) await options.files.remove(key);
      return named.length;
    },
    removeOrphans: (workspaceId) => removeOrphans(options, workspaceId),
    async stop() {
      clearInterval(timer);
      await context.runner.stop();
    },
  };
}
