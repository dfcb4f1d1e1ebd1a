import { searchIndexPort } from '#features/audience/server/index.ts';
import { binPort } from '#features/bin/server/index.ts';
import type { Retention } from '#features/settings/contract.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { importCodes } from '../rules/left-out.ts';
import { importsWords } from '../rules/words.ts';
import { importFigures } from './figures.ts';
import { countImportsIn } from './import-metrics.ts';
import { removeOrphans } from './orphans.ts';
import { expireChecked, expireReceipts } from './record-queries.ts';
import { recoverImports } from './recovery.ts';
import { registerImports } from './routes.ts';
import { ImportRunner, type RunnerOptions } from './runner.ts';
import { undoTask } from './undo.ts';

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

/** The imports of this process. */
export const importsPort = port<Imports>('imports.imports');

export const importsFeature: ServerFeature = {
  name: 'imports',
  contract,
  words: importsWords,
  errors: importCodes,
  create,
};

function create({ db, connection, config, files, log, metrics, use, offer }: FeatureContext): FeatureParts {
  const counted = countImportsIn(metrics);
  const searchIndex = use(searchIndexPort);
  const bin = use(binPort);
  const imports = createImports({
    db,
    database: connection,
    dnsServers: config.dnsServers,
    files,
    log,
    tasks: use(tasksPort),
    bin,
    limits: config.limits.imports,
    onFinished: (finished) => {
      counted(finished);
      searchIndex.soon();
    },
  });
  offer(importsPort, imports);
  return {
    routes: imports.register,
    tasks: [undoTask({ db, bin })],
    nightly: [
      {
        name: 'imports.forget-files',
        async run(workspaceId) {
          const { retention } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
          await imports.tidy(workspaceId, retention);
        },
      },
    ],
    figures: {
      async emails(system, times) {
        const { rowsEver, rowsThisMonth } = await importFigures(system, times);
        return { ever: rowsEver, thisMonth: rowsThisMonth };
      },
      imports: async (system, times) => (await importFigures(system, times)).recent,
    },
    // Every process that takes uploads keeps the files it took, so it also takes up what of them
    // was broken off.
    start: imports.startRecovery,
    stop: imports.stop,
  };
}
