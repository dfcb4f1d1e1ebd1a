import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { csvError } from '#features/csv/rules.ts';
import type { Settings } from '#features/settings/contract.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Caller } from '#platform/server/http.ts';
import { refuseManyStarts, usualStarts } from '#platform/server/start-limits.ts';
import { storeUpload, upTo } from '#platform/server/store-upload.ts';
import { keepLease } from '#platform/server/work/heartbeat.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import type { AppError } from '#platform/shared/errors.ts';
import { isImportable, onlyTables } from '../rules/file-names.ts';
import type { ImportsContext } from './context.ts';
import { cutOff, writeFailure } from './fail.ts';
import { createImport, leases, queueUpload, type ReadingOrder, toldOf } from './life-queries.ts';
import { arrived } from './progress.ts';
import { uploadKey } from './runner.ts';
import { countStarts } from './start-queries.ts';
import { type BegunImport, beginImport } from './wait-for-outcome.ts';

/** The fields that came before the file in the form. */
export interface UploadOrder extends ReadingOrder {
  workspaceId: number;
  caller: Caller;
  fileName: string;
  /** Bytes of the whole request, if the sender said. */
  announcedBytes: number | null;
}

/** A file that is here. Its import has neither an engine nor a slot yet. */
export interface Upload {
  importId: number;
  /**
   * Has the file imported as soon as there is an engine for it. Returns what comes of that here;
   * see `waitForOutcome`.
   */
  queue(order: ReadingOrder): Promise<BegunImport>;
  /** Ends the import because the rest of the form cannot be read. */
  abandon(failure: AppError): Promise<void>;
}

// Room for the boundaries and the other parts of a form. Nobody sends more.
const formOverhead = 1_048_576;

/**
 * Receives a file. Meanwhile this process holds the import, but no engine and no slot, so a slow
 * sender keeps nobody waiting. Every failure leaves a failed record with the reason, and nothing
 * imported.
 */
export async function receiveFile(
  context: ImportsContext,
  source: Readable,
  order: UploadOrder,
): Promise<Upload> {
  const { db, files, log, runner } = context;
  const { workspaceId, caller, fileName } = order;
  const { settings, run } = await beginRecord(context, order).catch((error: unknown) => {
    // The rest is read and thrown away, so that the answer reaches a client that is still sending.
    source.resume();
    throw error;
  });
  const key = uploadKey(run);
  let stored = 0;
  const stopBeating = keepLease({
    db,
    log,
    leases,
    run,
    told: () => toldOf(arrived(stored, order.announcedBytes ?? 0)),
    stopper: stopperOf(source),
  });
  const abandon = async (failure: AppError) => {
    stopBeating();
    const record = { run, fileName, userId: caller.userId };
    if (await writeFailure(db, record, failure)) await files.remove(key);
  };
  try {
    refuseUnfit(order, settings.import, source);
    const size = await storeUpload(
      source,
      await files.pathFor(key),
      upTo(settings.import.maxFileSize),
      (bytes) => {
        stored = bytes;
      },
    );
    return {
      importId: run.id,
      abandon,
      async queue(chosen) {
        stopBeating();
        const file = { key, size };
        return beginImport(runner, run, async () => {
          if (!(await db.asTenant(workspaceId, (tx) => queueUpload(tx, run, file, chosen)))) throw cutOff();
        });
      },
    };
  } catch (error) {
    const failure = asAppError(error);
    await abandon(failure);
    throw failure;
  }
}

/** Creates the record of a new import, unless there are too many already. */
function beginRecord({ db, limits = usualStarts }: ImportsContext, order: UploadOrder) {
  const { workspaceId, caller } = order;
  const lease = randomUUID();
  return db.asTenant(workspaceId, async (tx) => {
    const of = { createdBy: caller.userId, aMinute: limits.aMinute, except: null };
    refuseManyStarts('imports', limits, await countStarts(tx, workspaceId, of));
    const settings = await readSettings(tx, workspaceId);
    const id = await createImport(tx, {
      workspaceId,
      fileName: order.fileName,
      status: order.dryRun ? 'checking' : 'uploading',
      options: order.options,
      reading: order.reading,
      createdBy: caller.userId,
      actor: caller.email,
      lease,
    });
    const run: WorkRun = { workspaceId, id, lease };
    return { settings, run };
  });
}

/**
 * Stops the upload when this process no longer holds the import, because it was silent for too
 * long.
 */
function stopperOf(source: Readable): AbortController {
  const stopper = new AbortController();
  stopper.signal.addEventListener('abort', () => source.destroy(cutOff()), { once: true });
  return stopper;
}

/** @throws AppError `not_csv` or `too_large`, before any of the file is stored. */
function refuseUnfit(order: UploadOrder, settings: Settings['import'], source: Readable): void {
  const unfit = whyUnfit(order, settings);
  if (!unfit) return;
  source.resume();
  throw unfit;
}

function whyUnfit({ fileName, announcedBytes }: UploadOrder, settings: Settings['import']): AppError | null {
  if (!isImportable(fileName)) return csvError('not_csv', onlyTables(fileName));
  const limit = upTo(settings.maxFileSize);
  return (announcedBytes ?? 0) > limit.bytes + formOverhead ? limit.tooLarge() : null;
}
