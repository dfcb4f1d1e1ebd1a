import { type Audience, audiencePort } from '#features/audience/server/index.ts';
import { longestUploadPort } from '#features/settings/server/index.ts';
import { type Tasks, tasksPort } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { type FeatureParts, filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { StartLimits } from '#platform/server/start-limits.ts';
import { suppressionsEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { suppressionsWords } from '../rules/words.ts';
import { liftingDays } from '../rules.ts';
import { tellEvents } from './contact-events.ts';
import { personal } from './erasing/personal.ts';
import { purgeLiftings } from './lifting/lifting-queries.ts';
import { liftingTasks } from './lifting/lifting-tasks.ts';
import { forgetReceipts } from './lists/forget-receipts.ts';
import { listImportTask } from './lists/import-list.ts';
import { endAbandoned, registerLists } from './lists/routes.ts';
import { registerSuppressions } from './routes.ts';
import { suppressTask } from './suppress-selection.ts';

export { carrySuppressions } from './carry.ts';
export { countReasons } from './count-reasons.ts';
export { canTakeBack, liftForRecipient } from './lifting/lifting.ts';
export { selectAddress as entryOf } from './queries.ts';
export { suppressRecipients, type ToldRecipient } from './suppress-addresses.ts';

export interface SuppressionsOptions {
  db: Database;
  files: FileStore;
  tasks: Tasks;
  audience: Audience;
  /** How many lists may start and run at once; the usual limits when absent. */
  limits?: StartLimits;
  /** How many seconds a list may take to arrive at most; the usual time when absent. */
  longestUploadSeconds?: number | undefined;
}

export function createSuppressions(options: SuppressionsOptions): FeatureParts {
  const { db } = options;
  return {
    routes(router) {
      registerSuppressions(router, options);
      registerLists(router, options);
    },
    tasks: [listImportTask(options), ...liftingTasks(options), suppressTask(options)],
    nightly: [
      {
        name: 'suppressions.forget-liftings',
        run: (workspaceId) => db.asTenant(workspaceId, (tx) => purgeLiftings(tx, workspaceId, liftingDays)),
      },
      {
        name: 'suppressions.end-abandoned-uploads',
        run: async (workspaceId) => void (await endAbandoned(options, workspaceId)),
      },
      {
        name: 'suppressions.forget-receipts',
        run: (workspaceId) => forgetReceipts(options, workspaceId),
      },
    ],
    contactEvents: { scope: 'suppressions:read', tell: tellEvents },
    personal,
  };
}

export const suppressionsFeature: ServerFeature = {
  name: 'suppressions',
  contract: (all) => ({ ...contract, ...contract.suppressionCalls(filtersOfAll(all)) }),
  words: suppressionsWords,
  eventKinds: suppressionsEvents,
  create: ({ db, files, config, use, find }) =>
    createSuppressions({
      db,
      files,
      tasks: use(tasksPort),
      audience: use(audiencePort),
      limits: config.limits.imports,
      longestUploadSeconds: find(longestUploadPort),
    }),
};
