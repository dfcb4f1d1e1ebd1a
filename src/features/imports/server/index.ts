import { searchIndexPort } from '#features/audience/server/index.ts';
import { binPort } from '#features/bin/server/index.ts';
import { judgePort, whyDeadPort } from '#features/contacts/server/index.ts';
import type { Retention } from '#features/settings/contract.ts';
import { longestUploadPort, readSettings } from '#features/settings/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { importCodes } from '../rules/left-out.ts';
import { importsWords } from '../rules/words.ts';
import type { ImportsOptions } from './context.ts';
import { endLost } from './lost-files.ts';
import { importFigures } from './records/figures.ts';
import { countImportsIn } from './records/import-metrics.ts';
import { removeOrphans } from './records/orphans.ts';
import { personal } from './records/personal.ts';
import { importSegmentFields } from './records/segment-field.ts';
import { tidy } from './records/tidy.ts';
import { registerImports } from './routes.ts';
import { ImportRunner } from './runner.ts';
import { undoTask } from './undo.ts';

export { importsEverywhere } from './records/oversight.ts';

export interface Imports {
  register(router: Router): void;
  /** From now on, this process runs imports whose file it has. */
  startWork(): void;
  /**
   * Looks for imports that wait or that a dead process left. Resolves when it has begun as many as
   * there is room for.
   */
  look(): Promise<void>;
  /**
   * Deletes files that were only tried, and receipts, once the workspace's retention time is over.
   * Returns how many.
   */
  tidy(workspaceId: number, keep: Pick<Retention, 'uploadDays' | 'receiptDays'>): Promise<number>;
  /**
   * Removes the workspace's files that no record names, such as a crash leaves. Returns how many.
   */
  removeOrphans(workspaceId: number): Promise<number>;
  /**
   * Ends imports of the workspace that wait for a file that is gone, and deletes the records of
   * files that were only tried and are gone. Returns how many.
   */
  endLost(workspaceId: number): Promise<number>;
  /**
   * Ends the engines that run here. The next process takes up their imports and those that wait.
   */
  stop(): Promise<void>;
}

export function createImports(options: ImportsOptions): Imports {
  const runner = new ImportRunner(options);
  const context = { ...options, runner };
  return {
    register: (router) => registerImports(router, context),
    startWork: () => runner.begin(),
    look: () => runner.look(),
    tidy: (workspaceId, keep) => tidy(options, workspaceId, keep),
    removeOrphans: (workspaceId) => removeOrphans(options, workspaceId),
    endLost: (workspaceId) => endLost(options, workspaceId),
    stop: () => runner.stop(),
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

function create({
  db,
  connection,
  config,
  files,
  log,
  disk,
  metrics,
  use,
  find,
  offer,
}: FeatureContext): FeatureParts {
  const counted = countImportsIn(metrics);
  const searchIndex = use(searchIndexPort);
  const bin = use(binPort);
  const imports = createImports({
    db,
    database: connection,
    dnsServers: config.dnsServers,
    files,
    log,
    disk,
    tasks: use(tasksPort),
    bin,
    judge: use(judgePort),
    whyDead: use(whyDeadPort),
    limits: config.limits.imports,
    longestUploadSeconds: find(longestUploadPort),
    onFinished: (finished) => {
      counted(finished);
      searchIndex.soon();
    },
  });
  offer(importsPort, imports);
  return {
    routes: imports.register,
    tasks: [undoTask({ db, bin })],
    segmentFields: importSegmentFields,
    personal,
    nightly: [
      {
        name: 'imports.forget-files',
        async run(workspaceId) {
          const { retention } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
          await imports.tidy(workspaceId, retention);
        },
      },
      {
        // What a process that died has left between its record and its file.
        name: 'imports.remove-orphans',
        run: async (workspaceId) => void (await imports.removeOrphans(workspaceId)),
      },
      {
        // What a restore without the files, or a lost disk, has left.
        name: 'imports.end-lost',
        run: async (workspaceId) => void (await imports.endLost(workspaceId)),
      },
    ],
    figures: {
      async emails(system, times) {
        const { rowsEver, rowsThisMonth } = await importFigures(system, times);
        return { ever: rowsEver, thisMonth: rowsThisMonth };
      },
      imports: async (system, times) => (await importFigures(system, times)).recent,
    },
    // Every process that takes uploads keeps their files, so it also takes up interrupted imports
    // of those files.
    start: imports.startWork,
    stop: imports.stop,
  };
}
