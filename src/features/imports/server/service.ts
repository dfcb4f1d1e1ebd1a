import type { Readable } from 'node:stream';
import { csvError } from '#features/csv/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Caller } from '#platform/server/http.ts';
import { refuseManyStarts, usualStarts } from '#platform/server/start-limits.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type FateCounts,
  type ImportCheck,
  type ImportOptions,
  type ImportRecord,
  listImports,
  type ReadingChoice,
} from '../contract.ts';
import { type EngineOutcome, Meter, uploadStates } from './engine/messages.ts';
import {
  countStarts,
  createImport,
  deleteChecked,
  findImport,
  findSamples,
  type ImportRow,
  listImportRows,
  noteUploaded,
} from './record-queries.ts';
import type { ImportRunner, RunnerOptions, RunningImport } from './runner.ts';
import { writeFailure } from './runner.ts';
import { limitInBytes, storeUpload, tooLarge } from './upload.ts';

export type ImportsContext = RunnerOptions & { runner: ImportRunner };

/** What came before the file in the form. */
export interface UploadOrder {
  workspaceId: number;
  caller: Caller;
  fileName: string;
  options: ImportOptions;
  reading: ReadingChoice;
  dryRun: boolean;
  /** Bytes of the whole request, where the sender said. */
  announcedBytes: number | null;
}

/** An upload that has been taken in: the record, and the engine if it could start while the file arrived. */
export interface Upload {
  importId: number;
  running: RunningImport | null;
  /** Starts the engine if it is not at work yet, with what came after the file. */
  run(late: { options: ImportOptions; reading: ReadingChoice; dryRun: boolean }): RunningImport;
  /** Ends the import because the rest of the form cannot be read; left alone it would be taken up as one whose process died. */
  abandon(failure: AppError): Promise<void>;
}

// The boundaries and the other parts of a form; nobody sends more.
const formOverhead = 1_048_576;

/**
 * Takes a file in. With `early` the engine starts at once and reads behind the upload; without, when `run` is called.
 * Every failure leaves a failed record with the reason, and nothing imported.
 */
export async function receiveFile(
  context: ImportsContext,
  source: Readable,
  order: UploadOrder,
  early: boolean,
): Promise<Upload> {
  const { db, files, runner } = context;
  const { workspaceId, caller } = order;
  const { settings, importId } = await beginRecord(context, order).catch((error: unknown) => {
    // Read and thrown away, so that the answer reaches a client still sending.
    source.resume();
    throw error;
  });
  const record = { workspaceId, importId, fileName: order.fileName, userId: caller.userId };
  const fileKey = `imports/${workspaceId}/${importId}.csv`;
  const meter = new Meter();
  const start = (chosen: { options: ImportOptions; reading: ReadingChoice; dryRun: boolean }) =>
    runner.start({
      ...record,
      ...chosen,
      fileKey,
      meter,
      uploading: meter.get('uploadState') === uploadStates.growing,
    });

  let running: RunningImport | null = null;
  try {
    if (!order.fileName.toLowerCase().endsWith('.csv')) {
      source.resume();
      throw csvError(
        'not_csv',
        'Only .csv files can be imported. Save the list as CSV and choose that file.',
      );
    }
    if ((order.announcedBytes ?? 0) > limitInBytes(settings.import.maxFileSize) + formOverhead) {
      source.resume();
      throw tooLarge(settings.import.maxFileSize);
    }
    meter.set('bytesTotal', order.announcedBytes ?? 0);
    const path = await files.pathFor(fileKey);
    if (early) running = start(order);
    const size = await storeUpload(source, path, meter, settings.import.maxFileSize);
    await db.asTenant(workspaceId, (tx) => noteUploaded(tx, workspaceId, importId, { key: fileKey, size }));
  } catch (error) {
    const failure = asAppError(error);
    await writeFailure(db, record, failure);
    // An engine that was already at work meets the broken upload by itself.
    await running?.done.catch(() => undefined);
    await files.remove(fileKey);
    throw failure;
  }
  return {
    importId,
    running,
    run: (late) => running ?? start(late),
    async abandon(failure) {
      await writeFailure(db, record, failure);
      await files.remove(fileKey);
    },
  };
}

/** Makes the record of an import that begins, unless there are too many already. */
function beginRecord({ db, limits = usualStarts }: ImportsContext, order: UploadOrder) {
  const { workspaceId, caller } = order;
  return db.asTenant(workspaceId, async (tx) => {
    const of = { createdBy: caller.userId, aMinute: limits.aMinute, except: null };
    refuseManyStarts('imports', limits, await countStarts(tx, workspaceId, of));
    const settings = await readSettings(tx, workspaceId);
    const importId = await createImport(tx, {
      workspaceId,
      fileName: order.fileName,
      status: order.dryRun ? 'checking' : 'uploading',
      options: order.options,
      reading: order.reading,
      createdBy: caller.userId,
      actor: caller.email,
    });
    return { settings, importId };
  });
}

/** Refuses to read a kept file again while the workspace has as many imports under way as it may. */
async function refuseWhileBusy(
  { db, limits = usualStarts }: ImportsContext,
  workspaceId: number,
  importId: number,
): Promise<void> {
  // Nobody began a new one, so only what is under way counts.
  const of = { createdBy: '', aMinute: limits.aMinute, except: importId };
  refuseManyStarts(
    'imports',
    limits,
    await db.asTenant(workspaceId, (tx) => countStarts(tx, workspaceId, of)),
  );
}

/** Runs a file that a dry run kept: again as a dry run, or for real. */
export async function runKept(
  context: ImportsContext,
  workspaceId: number,
  importId: number,
  choice: { options?: ImportOptions | undefined; reading?: ReadingChoice | undefined; dryRun: boolean },
): Promise<RunningImport> {
  const row = await needImport(context, workspaceId, importId);
  if (row.status !== 'checked' || row.fileKey === null) {
    throw new AppError('conflict', 'This file is no longer waiting to be imported. Choose it again.');
  }
  if (context.runner.find(workspaceId, importId)) {
    throw new AppError('conflict', 'This file is being read just now. Wait a moment.');
  }
  await refuseWhileBusy(context, workspaceId, importId);
  const meter = new Meter();
  meter.set('bytesTotal', row.fileSize);
  meter.set('uploaded', row.fileSize);
  meter.set('uploadState', uploadStates.complete);
  return context.runner.start({
    workspaceId,
    importId,
    userId: row.createdBy,
    fileName: row.fileName,
    fileKey: row.fileKey,
    options: choice.options ?? row.options,
    reading: choice.reading ?? row.reading ?? {},
    dryRun: choice.dryRun,
    checkedAs: { options: row.options, reading: row.reading ?? {} },
    uploading: false,
    meter,
  });
}

/** @throws AppError `not_found`: no such import in this workspace. */
export async function needImport(
  { db }: Pick<ImportsContext, 'db'>,
  workspaceId: number,
  importId: number,
): Promise<ImportRow> {
  const row = await db.asTenant(workspaceId, (tx) => findImport(tx, workspaceId, importId));
  if (!row) throw new AppError('not_found', 'There is no such import.');
  return row;
}

export async function getRecord(
  context: ImportsContext,
  workspaceId: number,
  importId: number,
): Promise<ImportRecord & { check: ImportCheck | null }> {
  const row = await needImport(context, workspaceId, importId);
  return { ...toRecord(row), check: row.dryRun };
}

export async function listRecords(
  { db }: ImportsContext,
  workspaceId: number,
  query: { page: number; limit: number; cursor?: string | undefined },
): Promise<ResponseOf<typeof listImports>> {
  const scope = { workspaceId, list: listImports.path, of: {} };
  const { after, offset } = placeById(scope, query);
  const { rows, totalCount } = await db.asTenant(workspaceId, (tx) =>
    listImportRows(tx, workspaceId, { after, offset, limit: query.limit + 1 }),
  );
  const page = pageOfRows(scope, rows, query.limit);
  return { items: page.rows.map(toRecord), totalCount, nextCursor: page.nextCursor };
}

/** Forgets a file that was only tried. */
export async function discard(context: ImportsContext, workspaceId: number, importId: number): Promise<void> {
  const row = await needImport(context, workspaceId, importId);
  if (row.status !== 'checked')
    throw new AppError('conflict', 'Only a file that was not imported can be discarded.');
  const key = await context.db.asTenant(workspaceId, (tx) => deleteChecked(tx, workspaceId, importId));
  if (key) await context.files.remove(key);
}

/** The kept sample of the rows that were left out, and how many there were in all. */
export async function listRejected(
  context: ImportsContext,
  workspaceId: number,
  importId: number,
  query: { fate?: 'duplicate' | 'invalid' | 'nonUk' | 'suppressed' | undefined; limit: number },
): Promise<{ items: Awaited<ReturnType<typeof findSamples>>; totalCount: number }> {
  const row = await needImport(context, workspaceId, importId);
  const samples = await context.db.asTenant(workspaceId, (tx) => findSamples(tx, workspaceId, importId));
  const items = samples.filter((sample) => !query.fate || sample.fate === query.fate).slice(0, query.limit);
  const counts = countsOf(row);
  const by = {
    duplicate: counts?.duplicates ?? 0,
    invalid: counts?.invalid ?? 0,
    nonUk: counts?.nonUk ?? 0,
    suppressed: counts?.suppressed ?? 0,
  };
  const totalCount = query.fate ? by[query.fate] : by.duplicate + by.invalid + by.nonUk + by.suppressed;
  return { items, totalCount };
}

function countsOf(row: ImportRow): FateCounts | null {
  const { imported, duplicates, invalid, suppressed, nonUk } = row;
  if (imported === null || duplicates === null || invalid === null || suppressed === null || nonUk === null)
    return null;
  return { imported, duplicates, invalid, suppressed, nonUk };
}

function toRecord(row: ImportRow): ImportRecord {
  return {
    id: row.id,
    fileName: row.fileName,
    fileSize: row.fileSize,
    status: row.status,
    results: countsOf(row),
    rows: row.rows,
    blank: row.blank,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    createdBy: row.createdByName,
    hasReceipt: row.receiptKey !== null,
    canUndo: row.status === 'completed' && row.undoneAt === null && (row.imported ?? 0) > 0,
    options: row.options,
  };
}

/** The answer of the calls that import: the specification's figures. */
export function resultOf(
  importId: number,
  { counts, blank }: EngineOutcome,
): FateCounts & { id: number; blank: number } {
  return { id: importId, ...counts, blank };
}
