import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { recordActivity } from '#features/activities/server/index.ts';
import { importing } from '#features/contacts/server/thread.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Connection } from '#platform/server/feature.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Log } from '#platform/server/logging.ts';
import { renewStatistics } from '#platform/server/statistics.ts';
import type { WorkKey, WorkRun } from '#platform/server/work/leases.ts';
import {
  type HeldWork,
  NotForThisProcess,
  type WorkQueue,
  WorkRunner,
} from '#platform/server/work/runner.ts';
import { untilReachable } from '#platform/server/work/stopped.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type FateCounts,
  type ImportOptions,
  importOptions,
  type ReadingChoice,
  storedReading,
} from '../contract.ts';
import { importSubject } from './complete.ts';
import { type EngineJob, type EngineOutcome, Meter } from './engine/messages.ts';
import { startEngine, warmUpEngine } from './engine/thread.ts';
import { cutOff, writeFailure } from './fail.ts';
import { claimImport, leases, markBegun, markChecked, markCheckedAsBefore, toldOf } from './life-queries.ts';
import { Pulse } from './progress.ts';
import type { FinishedImport } from './records/import-metrics.ts';
import { findImport, type ImportRow } from './records/record-queries.ts';
import { removeImportFile } from './records/remove-file.ts';

/*
 * An import's life:
 *
 *   uploading --(its file is here)--> waiting --(begun)--> at work --(the engine commits)--> completed
 *       |                                ^                    |------(a dry run)-----------> checked
 *       |                                |                    |------(it cannot be done)---> failed
 *       |                                +--(the process stops, or the database is away)
 *       +--(cut off, too large, too slow)--> failed
 *
 * In the record, `uploading` has no file key, and a waiting import has no lease. A checked file
 * waits again when somebody imports it or tries other choices. The engine writes `completed` in the
 * transaction that adds the contacts. The platform decides who may run it and who takes it up when
 * a process dies: platform/server/work/runner.ts.
 */

export interface RunnerOptions {
  db: Database;
  /** What the engines connect with: the application's role, on separate connections. */
  database: Connection;
  /** Name servers for imports that check mail servers. Empty means the machine's own. */
  dnsServers: readonly string[];
  files: FileStore;
  log: Log;
  /** While it is full, no import begins, and those that run end. */
  disk?: DiskSpace | undefined;
  /**
   * Called after each import (not after a dry run), for example to count it and to index its
   * contacts for search.
   */
  onFinished?: (finished: FinishedImport) => void;
}

/** Engines that run at once in one process; further imports wait. Two keep two cores busy. */
const enginesAtOnce = 2;
/** Per workspace, in all processes together: of the four slots, two stay for others. */
const eachWorkspaceAtOnce = 2;
const receiptsFolder = 'receipts';
const noRows: FateCounts = { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 };

/** An import that runs here: its record, and how to read its file. */
export interface RunningImport extends ImportRow {
  workspaceId: number;
  cancelRequested: false;
  /** How to read the file; null when it never arrived. */
  order: { fileKey: string; options: ImportOptions; reading: ReadingChoice } | null;
  meter: Meter;
  pulse: Pulse;
  /** When it began here, by the clock of `performance`. */
  begunAt: number;
}

type Held = HeldWork<RunningImport>;

const warmUpAfterMs = 1_000;

/** Runs imports in threads, a few at once, and keeps their records alive meanwhile. */
export class ImportRunner extends WorkRunner<RunningImport> {
  readonly #ends: Ends;

  constructor(options: RunnerOptions) {
    const ends: Ends = new Map();
    super(options, new ImportQueue(options, ends));
    this.#ends = ends;
  }

  override begin(): void {
    super.begin();
    // The start of the process comes first.
    setTimeout(warmUpEngine, warmUpAfterMs).unref();
  }

  /**
   * The outcome of the import if this process runs it. Call it before the import can be claimed,
   * and call `forget` afterwards.
   *
   * @throws AppError `conflict`: somebody already waits for the same file.
   */
  expect(key: WorkKey): Promise<EngineOutcome> {
    if (this.#ends.has(keyOf(key)))
      throw new AppError('conflict', 'This file is being read just now. Wait a moment.');
    const end = Promise.withResolvers<EngineOutcome>();
    // Whoever waits may have gone.
    end.promise.catch(() => undefined);
    this.#ends.set(keyOf(key), end);
    return end.promise;
  }

  forget(key: WorkKey): void {
    this.#ends.delete(keyOf(key));
  }
}

/** Who waits for which import. */
type Ends = Map<string, PromiseWithResolvers<EngineOutcome>>;

const keyOf = ({ workspaceId, id }: WorkKey) => `${workspaceId}/${id}`;

class ImportQueue implements WorkQueue<RunningImport> {
  readonly name = 'import';
  readonly leases = leases;
  readonly atOnce = enginesAtOnce;
  readonly whenFull = 'fail';
  readonly givenUp = 'The import was broken off again and again and has been given up. Nothing was imported.';
  readonly #options: RunnerOptions;
  readonly #ends: Ends;

  constructor(options: RunnerOptions, ends: Ends) {
    this.#options = options;
    this.#ends = ends;
  }

  claim(lease: string, _held: readonly Held[], leaveOut: readonly number[]) {
    return claimImport(this.#options.db.system, { lease, eachWorkspace: eachWorkspaceAtOnce, leaveOut });
  }

  async begin(tx: TenantTx, run: WorkRun): Promise<RunningImport | null> {
    const row = await findImport(tx, run.workspaceId, run.id);
    if (!row) return null;
    const order = await this.#orderOf(row);
    const attempts = await markBegun(tx, run);
    if (attempts === null) return null;
    if (order && row.status === 'processing') await tellOfStart(tx, run, row);
    const meter = new Meter();
    meter.set('bytesTotal', row.fileSize);
    const pulse = new Pulse(meter, row.status === 'checking');
    const { workspaceId } = run;
    return {
      ...row,
      workspaceId,
      attempts,
      cancelRequested: false,
      order,
      meter,
      pulse,
      begunAt: performance.now(),
    };
  }

  /** How to read the file; null when it never arrived. @throws NotForThisProcess */
  async #orderOf({ status, fileKey, options, reading }: ImportRow): Promise<RunningImport['order']> {
    if (status === 'uploading' || fileKey === null) return null;
    if (!existsSync(await this.#options.files.pathFor(fileKey)))
      throw new NotForThisProcess('its file is not on this machine');
    const knownOptions = importOptions.safeParse(options);
    const knownReading = storedReading.safeParse(reading ?? {});
    if (!knownOptions.success || !knownReading.success)
      throw new NotForThisProcess('its options are of a newer version');
    const { readBy: _, ...choices } = knownReading.data;
    return { fileKey, options: knownOptions.data, reading: choices };
  }

  leave(): Promise<void> {
    return Promise.resolve();
  }

  told({ row }: Held) {
    return toldOf(row.pulse.progress());
  }

  async work(held: Held): Promise<void> {
    const { db, files, log, onFinished } = this.#options;
    const { run, row } = held;
    const { order } = row;
    if (!order) throw cutOff();
    const outcome = await this.#runEngine(held, order);
    const { check, counts, rows } = outcome;
    log.info({ import: row.id, rows, ...counts }, check ? 'dry run of an import done' : 'import done');
    if (check) {
      await untilReachable(() => db.asTenant(run.workspaceId, (tx) => markChecked(tx, run, check)));
    } else {
      onFinished?.({ outcome: 'completed', seconds: secondsSince(row.begunAt), rows: counts });
      await removeImportFile(files, order.fileKey);
      await renewStatistics(this.#options);
    }
    this.#ends.get(keyOf(run))?.resolve(outcome);
  }

  async #runEngine({ run, row, stopper }: Held, order: NonNullable<RunningImport['order']>) {
    const { db, files } = this.#options;
    const { workspaceId, id } = run;
    const { settings, knownFields } = await db.asTenant(workspaceId, async (tx) => ({
      settings: await readSettings(tx, workspaceId),
      knownFields: await importing.selectFieldNames(tx, workspaceId),
    }));
    const receiptKey = `${receiptsFolder}/${workspaceId}/${id}-${randomUUID()}.csv`;
    const job: EngineJob = {
      workspaceId,
      importId: id,
      lease: run.lease,
      userId: row.createdBy,
      fileName: row.fileName,
      filePath: await files.pathFor(order.fileKey),
      receiptPath: await files.pathFor(receiptKey),
      receiptKey,
      options: order.options,
      reading: order.reading,
      validation: settings.emailValidation,
      settings: settings.import,
      knownFields,
      dryRun: row.status === 'checking',
      database: this.#options.database,
      dnsServers: this.#options.dnsServers,
      deadline: Date.now() + settings.import.timeoutSeconds * 1000,
      meter: row.meter.buffer,
    };
    const engine = startEngine(job);
    const stop = () => void engine.stop();
    stopper.signal.addEventListener('abort', stop, { once: true });
    if (stopper.signal.aborted) stop();
    try {
      return await engine.done;
    } catch (error) {
      await this.#removeReceipt(run, receiptKey);
      throw error;
    } finally {
      stopper.signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Removes the receipt of a run that came to nothing. A thread that was ended may have added its
   * contacts a moment before, and then the record names the receipt: only a run that still holds
   * the record removes it. What stays by mistake goes at night; see `removeOrphans`.
   */
  async #removeReceipt(run: WorkRun, receiptKey: string): Promise<void> {
    const { db, files, log } = this.#options;
    const removed = db.asTenant(run.workspaceId, async (tx) => {
      if (await leases.hold(tx, run)) await files.remove(receiptKey);
    });
    await removed.catch((error: unknown) =>
      log.warn({ err: error, import: run.id }, 'the receipt of an import that failed was not removed'),
    );
  }

  async breakOff(held: Held, end: Parameters<WorkQueue<RunningImport>['breakOff']>[1]): Promise<void> {
    const { db, files, log, onFinished } = this.#options;
    const { run, row } = held;
    // Nobody can cancel an import.
    const failure = asAppError(end.cancelled ? undefined : end.error);
    const { code, message } = failure;
    log.warn({ import: row.id, code, err: failure.cause }, `import failed: ${message}`);
    const written = untilReachable(async () => {
      if (row.checkedAs && row.status === 'checking')
        return db.asTenant(run.workspaceId, (tx) => markCheckedAsBefore(tx, run));
      const record = { run, fileName: row.fileName, userId: row.createdBy };
      if (await writeFailure(db, record, failure))
        await removeImportFile(files, row.fileKey ?? uploadKey(run));
    });
    await written.catch((error: unknown) => {
      // Its record says that it runs, so that another run will take it up.
      this.#ends.get(keyOf(run))?.reject(takenUpLater(run));
      throw error;
    });
    if (row.status === 'processing')
      onFinished?.({ outcome: 'failed', seconds: secondsSince(row.begunAt), rows: noRows });
    this.#ends.get(keyOf(run))?.reject(failure);
  }
}

const takenUpLater = ({ id }: WorkRun) =>
  new AppError(
    'insufficient_storage',
    `The import could not be finished, and its end could not be written down. It is tried again by itself: look at import ${id} before you send the file again.`,
  );

/** Where an import's file is kept. */
export const uploadKey = ({ workspaceId, id }: WorkKey): string => `imports/${workspaceId}/${id}.csv`;

function tellOfStart(tx: TenantTx, { workspaceId, id }: WorkRun, row: ImportRow): Promise<void> {
  return recordActivity(tx, workspaceId, {
    action: 'CSV Import',
    details: row.fileName,
    status: 'in-progress',
    icon: 'file-import',
    iconColor: 'primary',
    actor: row.createdBy,
    subject: importSubject(id),
    link: `/imports/${id}`,
  });
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;
