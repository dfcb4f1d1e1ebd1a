import { uploadLimit } from '#features/settings/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database } from '#platform/server/database.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Call, Router } from '#platform/server/http.ts';
import { sendFile } from '#platform/server/send-file.ts';
import { refuseManyStarts, type StartLimits, usualStarts } from '#platform/server/start-limits.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  exportSuppressions,
  importSuppressions,
  type ListImport,
  type ListImportResult,
  listSuppressionImports,
  type SuppressionReason,
  suppressionImport,
  suppressionImportReceipt,
} from '../../contract.ts';
import {
  type BatchRow,
  countStarts,
  failAbandoned,
  failBatch,
  insertBatch,
  noteFile,
  selectBatch,
  selectBatches,
} from './batch-queries.ts';
import { exportList } from './export.ts';
import { resultOf } from './import-list.ts';
import { receiveList } from './receive-list.ts';

export interface ListRoutesOptions {
  db: Database;
  files: FileStore;
  tasks: Tasks;
  limits?: StartLimits;
  longestUploadSeconds?: number | undefined;
}

const keyOf = (workspaceId: number, batchId: number) => `suppressions/${workspaceId}/${batchId}.csv`;

/** Ends uploads whose process died, and removes what they had stored. Returns how many. */
export async function endAbandoned(
  { db, files }: Pick<ListRoutesOptions, 'db' | 'files'>,
  workspaceId: number,
): Promise<number> {
  const ids = await db.asTenant(workspaceId, (tx) => failAbandoned(tx, workspaceId));
  for (const id of ids) await files.remove(keyOf(workspaceId, id));
  return ids.length;
}

/**
 * Takes a list in and starts the task that imports it. Until then, every failure fails its record.
 */
async function takeIn(
  { db, files, tasks, limits = usualStarts, longestUploadSeconds }: ListRoutesOptions,
  { request, workspaceId, caller }: Call<typeof importSuppressions>,
) {
  const settings = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  const createdBy = caller.email;
  let batchId: number | null = null;
  try {
    const time = uploadLimit(settings.import, 'list', longestUploadSeconds);
    const list = await receiveList(request, files, time, async (given) => {
      const id = await db.asTenant(workspaceId, async (tx) => {
        const of = { createdBy, aMinute: limits.aMinute };
        refuseManyStarts('list imports', limits, await countStarts(tx, workspaceId, of));
        return insertBatch(tx, workspaceId, { ...given, createdBy });
      });
      batchId = id;
      return { id, key: keyOf(workspaceId, id) };
    });
    await db.asTenant(workspaceId, (tx) => noteFile(tx, workspaceId, list.id, list));
    const input = { batchId: list.id, fileName: list.fileName };
    return await tasks.start(workspaceId, 'suppressions.import', input, caller);
  } catch (error) {
    const failure = asAppError(error);
    const failed = batchId;
    if (failed !== null) {
      await db.asTenant(workspaceId, (tx) => failBatch(tx, workspaceId, failed, failure.message));
    }
    throw error;
  }
}

/** Import and export of whole lists. */
export function registerLists(router: Router, options: ListRoutesOptions): void {
  const { db, files, tasks } = options;
  router.handle(importSuppressions, async (call) => {
    const { workspaceId } = call;
    const task = await takeIn(options, call);
    // Outside of what can fail the list: a caller that hangs up here leaves the task at work.
    return (await tasks.answer(call, workspaceId, task)) as ListImportResult | { taskId: number };
  });

  router.handle(listSuppressionImports, ({ workspaceId, query }) => {
    const scope = { workspaceId, list: listSuppressionImports.path, of: {} };
    const { after, offset } = placeById(scope, query);
    return db.asTenant(workspaceId, async (tx) => {
      const request = { after, skip: offset, take: query.limit + 1 };
      const { rows, total } = await selectBatches(tx, workspaceId, request);
      const page = pageOfRows(scope, rows, query.limit);
      return { items: page.rows.map(shownImport), totalCount: total, nextCursor: page.nextCursor };
    });
  });

  router.handle(suppressionImport, async ({ workspaceId, params }) => {
    const batch = await db.asTenant(workspaceId, (tx) => selectBatch(tx, workspaceId, params.id));
    if (!batch) throw new AppError('not_found', 'No list was imported under this number.');
    return shownImport(batch);
  });

  router.handle(suppressionImportReceipt, async (call) => {
    const { workspaceId, params } = call;
    const batch = await db.asTenant(workspaceId, (tx) => selectBatch(tx, workspaceId, params.id));
    if (!batch?.receiptKey) throw new AppError('not_found', 'This list has no lines that could not be read.');
    const name = `${batch.fileName.replace(/\.[a-z]+$/i, '')}-not-read.csv`;
    const path = await files.pathFor(batch.receiptKey);
    return sendFile(call.reply, {
      path,
      contentType: 'text/csv; charset=utf-8',
      name,
      plainName: 'not-read.csv',
    });
  });

  router.handle(exportSuppressions, async (call) => {
    const { kind, form } = call.query;
    const today = new Date().toISOString().slice(0, 10);
    const hashed = kind === 'emails' && form !== 'plain' ? `-${form}` : '';
    const rows = await exportList(db, call.workspaceId, { kind, form });
    call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="suppressed-${kind}${hashed}-${today}.csv"`);
    return call.reply.send(rows);
  });
}

function shownImport(row: BatchRow): ListImport {
  return {
    id: row.id,
    fileName: row.fileName,
    fileSize: row.fileSize,
    reason: row.reason as SuppressionReason,
    status: row.status,
    error: row.error,
    result: row.status === 'completed' ? resultOf(row) : null,
    hasReceipt: row.receiptKey !== null,
    createdBy: row.createdByName ?? row.createdBy,
    createdAt: row.createdAt.toISOString(),
  };
}
