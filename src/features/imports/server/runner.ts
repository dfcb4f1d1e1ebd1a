import { randomUUID } from 'node:crypto';
import { recordActivity } from '#features/activities/server/index.ts';
import type { Bin } from '#features/bin/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Log } from '#platform/server/logging.ts';
import type { StartLimits } from '#platform/server/start-limits.ts';
import type { AppError } from '#platform/shared/errors.ts';
import type { FateCounts, ImportOptions, ImportProgress, ReadingChoice } from '../contract.ts';
import { importSubject } from './complete.ts';
import { type EngineJob, type EngineOutcome, type Meter, phases } from './engine/messages.ts';
import { type RunningEngine, startEngine } from './engine/thread.ts';
import type { FinishedImport } from './import-metrics.ts';
import { markChecked, markCheckedAsBefore, markFailed, renewLease, startImport } from './record-queries.ts';

export interface RunnerOptions {
  db: Database;
  /** What the engines connect with: the application's role, on connections of their own. */
  database: { url: string; role?: string | undefined };
  /** Name servers for imports that check where mail goes; empty: those the machine uses. */
  dnsServers: readonly string[];
  files: FileStore;
  log: Log;
  tasks: Tasks;
  /** Where the contacts of an import go that is undone. */
  bin: Bin;
  /** How many imports may be begun and be under way; the usual limits when absent. */
  limits?: StartLimits;
  /** Called after each import (not after a dry run), e.g. to count it and to index what it added for search. */
  onFinished?: (finished: FinishedImport) => void;
}

const noRows: FateCounts = { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 };

/** One import to be run: who, what, where the file is. */
export interface RunOrder {
  workspaceId: number;
  importId: number;
  userId: string | null;
  fileName: string;
  fileKey: string;
  options: ImportOptions;
  reading: ReadingChoice;
  dryRun: boolean;
  /** How the file was checked before: what stands again when this dry run comes to nothing. */
  checkedAs?: Pick<RunOrder, 'options' | 'reading'>;
  /** True while the file is still arriving. */
  uploading: boolean;
  meter: Meter;
}

export interface RunningImport {
  order: RunOrder;
  done: Promise<EngineOutcome>;
  progress(): ImportProgress;
}

/** Engines at work at once in one process; further imports wait. Two cores are busy with two. */
const enginesAtOnce = 2;
const heartbeatMs = 2_000;
const receiptsFolder = 'receipts';

/**
 * Runs imports in threads, keeps their records alive while they run, and writes down how they ended. The record tells
 * the truth at every moment: `completed` is written by the engine in the transaction that adds the contacts, and a
 * failure only for an import that is not completed.
 */
export class ImportRunner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<string, RunningImport>();
  readonly #engines = new Set<RunningEngine>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The import if this process runs it. */
  find(workspaceId: number, importId: number): RunningImport | undefined {
    return this.#running.get(`${workspaceId}/${importId}`);
  }

  /** Starts (or queues) the import. `done` rejects with an AppError; the record says so too. */
  start(order: RunOrder): RunningImport {
    const key = `${order.workspaceId}/${order.importId}`;
    const known = this.#running.get(key);
    if (known) return known;
    const pulse = new Pulse(order.meter, order.dryRun);
    const running: RunningImport = {
      order,
      progress: () => pulse.progress(),
      // Goes on when whoever sent the file has hung up.
      done: inBackground(() => this.#run(order, pulse)).finally(() => this.#running.delete(key)),
    };
    this.#running.set(key, running);
    running.done.catch(() => undefined);
    return running;
  }

  /** Ends all engines; their imports are taken up again by the next process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#engines].map((engine) => engine.stop()));
    await Promise.allSettled([...this.#running.values()].map((running) => running.done));
  }

  async #run(order: RunOrder, pulse: Pulse): Promise<EngineOutcome> {
    const { db, log } = this.#options;
    const started = performance.now();
    const heart = setInterval(() => void this.#beat(order, pulse), heartbeatMs);
    try {
      await this.#turn();
      const outcome = await this.#runEngine(order);
      log.info(
        { import: order.importId, rows: outcome.rows, ...outcome.counts },
        outcome.check ? 'dry run of an import done' : 'import done',
      );
      if (outcome.check) {
        const check = outcome.check;
        await db.asTenant(order.workspaceId, (tx) =>
          markChecked(tx, order.workspaceId, order.importId, check),
        );
      } else {
        this.#options.onFinished?.({
          outcome: 'completed',
          seconds: secondsSince(started),
          rows: outcome.counts,
        });
        await this.#options.files.remove(order.fileKey);
      }
      return outcome;
    } catch (error) {
      const failure = asAppError(error);
      await this.#fail(order, failure);
      if (!order.dryRun)
        this.#options.onFinished?.({ outcome: 'failed', seconds: secondsSince(started), rows: noRows });
      throw failure;
    } finally {
      clearInterval(heart);
      this.#leave();
    }
  }

  async #runEngine(order: RunOrder): Promise<EngineOutcome> {
    const { db, files, database } = this.#options;
    const settings = await db.asTenant(order.workspaceId, async (tx) => {
      await startImport(tx, order.workspaceId, order.importId, {
        status: order.dryRun ? 'checking' : order.uploading ? 'uploading' : 'processing',
        options: order.options,
        reading: order.reading,
      });
      if (!order.dryRun) await this.#tellOfStart(tx, order);
      return readSettings(tx, order.workspaceId);
    });
    const receiptKey = `${receiptsFolder}/${order.workspaceId}/${order.importId}-${randomUUID()}.csv`;
    const job: EngineJob = {
      workspaceId: order.workspaceId,
      importId: order.importId,
      userId: order.userId,
      fileName: order.fileName,
      filePath: await files.pathFor(order.fileKey),
      receiptPath: await files.pathFor(receiptKey),
      receiptKey,
      options: order.options,
      reading: order.reading,
      validation: settings.emailValidation,
      settings: settings.import,
      dryRun: order.dryRun,
      database,
      dnsServers: this.#options.dnsServers,
      deadline: Date.now() + settings.import.timeoutSeconds * 1000,
      meter: order.meter.buffer,
    };
    const engine = startEngine(job);
    this.#engines.add(engine);
    try {
      return await engine.done;
    } catch (error) {
      await files.remove(receiptKey);
      throw error;
    } finally {
      this.#engines.delete(engine);
    }
  }

  #tellOfStart(tx: Parameters<typeof recordActivity>[0], order: RunOrder): Promise<void> {
    return recordActivity(tx, order.workspaceId, {
      action: 'CSV Import',
      details: order.fileName,
      status: 'in-progress',
      icon: 'file-import',
      iconColor: 'primary',
      actor: order.userId,
      subject: importSubject(order.importId),
      link: `/imports/${order.importId}`,
    });
  }

  /**
   * Writes a failure down. Not when the database is away or this process is stopping: then the import is left to its
   * lease and taken up again from the stored file.
   */
  async #fail(order: RunOrder, failure: AppError): Promise<void> {
    const { db, files, log } = this.#options;
    const retry = this.#stopped || failure.code === 'unavailable';
    log.warn(
      { import: order.importId, code: failure.code, err: failure.cause, retry },
      `import failed: ${failure.message}`,
    );
    if (retry) return;
    try {
      if (order.dryRun && order.checkedAs) {
        const { workspaceId, importId, checkedAs } = order;
        await db.asTenant(workspaceId, (tx) => markCheckedAsBefore(tx, workspaceId, importId, checkedAs));
        return;
      }
      await writeFailure(db, order, failure);
      await files.remove(order.fileKey);
    } catch (error) {
      log.error({ err: error, import: order.importId }, 'the failure of an import could not be written down');
    }
  }

  async #beat(order: RunOrder, pulse: Pulse): Promise<void> {
    try {
      await this.#options.db.asTenant(order.workspaceId, (tx) =>
        renewLease(tx, order.workspaceId, order.importId, pulse.progress()),
      );
    } catch (error) {
      // The engine notices by itself when the database is away; a missed beat is made up by the next.
      this.#options.log.debug(
        { err: error, import: order.importId },
        'the lease of an import was not renewed',
      );
    }
  }

  async #turn(): Promise<void> {
    while (this.#busy >= enginesAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy++;
  }

  #leave(): void {
    this.#busy--;
    this.#waiting.shift()?.();
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

/** Ends the record of an import that could not be done, and tells of it. */
export async function writeFailure(
  db: Database,
  order: Pick<RunOrder, 'workspaceId' | 'importId' | 'fileName' | 'userId'>,
  failure: Pick<AppError, 'code' | 'message'>,
): Promise<void> {
  await db.asTenant(order.workspaceId, async (tx) => {
    if (!(await markFailed(tx, order.workspaceId, order.importId, failure))) return;
    await recordActivity(tx, order.workspaceId, {
      action: 'CSV Import',
      details: `${order.fileName}: ${failure.message}`,
      status: 'failed',
      icon: 'file-import',
      iconColor: 'error',
      actor: order.userId,
      subject: importSubject(order.importId),
      link: `/imports/${order.importId}`,
    });
  });
}

/** The parts of an import's work, as shares of the whole; measured at 1.5 million rows. */
const readingShare = 0.3;
const judgingShare = 0.2;
const savingShare = 0.45;

/** Turns the meter of an engine into what a person is shown. Nothing here is guessed from the clock. */
class Pulse {
  readonly #meter: Meter;
  /** A dry run is done when the rows are judged. */
  readonly #wholeShare: number;
  readonly #started = performance.now();
  #rowsPerSecond = 0;

  constructor(meter: Meter, dryRun: boolean) {
    this.#meter = meter;
    this.#wholeShare = dryRun ? readingShare + judgingShare : 1;
  }

  progress(): ImportProgress {
    const phase = phases[this.#meter.get('phase')] ?? 'uploading';
    const rows = this.#meter.get('rows');
    const bytesTotal = this.#meter.get('bytesTotal');
    const bytesRead = this.#meter.get('bytesRead');
    if (phase === 'reading' && this.#meter.get('staged') === 0) {
      this.#rowsPerSecond = Math.round((rows * 1000) / Math.max(1, performance.now() - this.#started));
    }
    const part = (done: number, all: number) => (all === 0 ? 0 : Math.min(1, done / all));
    const staged = this.#meter.get('staged');
    // The receipt reads the file a second time.
    const read = phase === 'reading' && staged === 0 ? part(bytesRead, bytesTotal) : 1;
    const done =
      (phase === 'uploading' ? 0 : read) * readingShare +
      part(this.#meter.get('judged'), staged) * judgingShare +
      part(this.#meter.get('saved'), staged) * savingShare;
    const share = phase === 'done' ? 1 : Math.min(0.99, done / this.#wholeShare);
    return { phase, rows, rowsPerSecond: this.#rowsPerSecond, bytesRead, bytesTotal, share };
  }
}
