import type { z } from 'zod';
import { audiencePort } from '#features/audience/server/index.ts';
import type { CleanReason } from '#features/bin/contract.ts';
import {
  type Bin,
  binPort,
  cleanInput,
  closeBrokenClean,
  countExpired,
  previewClean,
  purgeBin,
} from '#features/bin/server/index.ts';
import { answerExport } from '#features/exports/server/index.ts';
import { type Imports, importsPort } from '#features/imports/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { type TaskContext, type TaskDefinition, tasksPort } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { filtersOfAll, type ServerFeature } from '#platform/server/feature.ts';
import { formatCount, formatNumber } from '#platform/shared/words.ts';
import * as contract from '../contract.ts';
import { type CleanupResult, cleanUp } from '../contract.ts';

interface CleanupOptions {
  db: Database;
  imports: Pick<Imports, 'tidy' | 'removeOrphans'>;
  bin: Pick<Bin, 'cleanInPieces'>;
}

const kind = 'maintenance.cleanup';

/**
 * The cleanup of a workspace: a clean, and then the deletion of everything past its retention.
 * Always a task, because it is a single piece of news.
 */
export const maintenanceFeature: ServerFeature = {
  name: 'maintenance',
  contract: (all) => ({ ...contract, ...contract.maintenanceCalls(filtersOfAll(all)) }),
  create({ db, use }) {
    const tasks = use(tasksPort);
    const exports = { db, audience: use(audiencePort) };
    return {
      tasks: [cleanupTask({ db, imports: use(importsPort), bin: use(binPort) })],
      routes(router) {
        router.handle(cleanUp, async (call) => {
          const { workspaceId, caller } = call;
          const { reasons } = call.query;
          if (call.query.preview) return preview(db, workspaceId, reasons);
          const task = await tasks.start(workspaceId, kind, reasons ? { reasons } : {}, caller);
          return tasks.answer<CleanupResult>(call, workspaceId, task);
        });
        const { maintenanceExport } = contract.maintenanceCalls(exports.audience.filters);
        router.handle(maintenanceExport, (call) => answerExport(exports, call));
      },
    };
  },
};

type CleanupInput = z.output<typeof cleanInput>;

const cleanupTask = (options: CleanupOptions): TaskDefinition<CleanupInput> => ({
  kind,
  input: cleanInput,
  title: () => 'Clean up the database',
  run: async (context) => ({ ...(await run(options, context)) }),
  broken: async (context, { status }) => ({
    ...(await closeBrokenClean(options.db, context, status)),
    expired: 0,
    files: 0,
  }),
  summary: (result) => words(result as unknown as CleanupResult),
  link: ({ removalId }) => (removalId ? `/bin?removal=${removalId}` : '/bin'),
});

async function preview(
  db: Database,
  workspaceId: number,
  reasons: readonly CleanReason[] | undefined,
): Promise<CleanupResult> {
  return db.asTenant(workspaceId, async (tx) => {
    const { binDays } = (await readSettings(tx, workspaceId)).retention;
    const expired = await countExpired(tx, workspaceId, binDays);
    return { ...(await previewClean(tx, workspaceId, reasons)), expired, files: 0 };
  });
}

async function run(
  { db, imports, bin }: CleanupOptions,
  context: TaskContext<CleanupInput>,
): Promise<CleanupResult> {
  const { workspaceId } = context;
  const cleaned = await bin.cleanInPieces(context, context.input.reasons);
  // The rest can safely run twice, so it needs no checkpoint.
  const { retention } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  const inBin = await db.asTenant(workspaceId, (tx) => countExpired(tx, workspaceId, retention.binDays));
  const expired = await purgeBin(db, workspaceId, retention.binDays, {
    signal: context.signal,
    onGone: (gone) => context.progress(gone, Math.max(inBin, gone), 'Emptying what is kept no longer'),
  });
  context.signal.throwIfAborted();
  const old = await imports.tidy(workspaceId, retention);
  const orphans = await imports.removeOrphans(workspaceId);
  return { ...cleaned, expired, files: old + orphans };
}

function words({ removed, duplicates, invalid, nonUk, letIn, expired, files }: CleanupResult): string {
  const clean =
    `${formatCount(removed, 'contact')} removed: ${formatCount(duplicates, 'duplicate')}, ` +
    `${formatNumber(invalid)} invalid, ${formatNumber(nonUk)} non-UK`;
  const tidied = [
    letIn > 0 && `${formatNumber(letIn)} outside your UK setting kept, as their import chose`,
    expired > 0 && `${formatNumber(expired)} in the bin had expired`,
    files > 0 && `${formatCount(files, 'old file')} deleted`,
  ].filter(Boolean);
  return `${[clean, ...tidied].join('; ')}.`;
}
