import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SystemDb } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { percentOf } from '../rules.ts';
import {
  breakSpan,
  deleteOldSpans,
  endSpan,
  insertSpan,
  moveSpan,
  type ProcessName,
  selectProcesses,
  selectUptime,
} from './uptime-queries.ts';

/*
 * Uptime as this installation measures it. Every few seconds a process that answers people records
 * that it is there and reaches the database. A worker does so too, so that it is listed among the
 * processes, but it is not counted. Time that no process vouches for counts as down, whether it
 * crashed, was stopped for an upgrade, lost its database, or slept with the machine. Measuring
 * begins with the first start.
 */

const beatMs = 15_000;
/** Three beats may be late before a process counts as down. */
export const silenceSeconds = 60;
/** Longer than the measured window, so that a long gap in it still shows. */
const keptDays = 120;

export interface UptimeFigures {
  measured: number | null;
  since: string | null;
  breaks: number;
  downSeconds: number;
}

export interface Uptime {
  /** This process's own name among the processes. */
  readonly process: string;
  /** Records that the process is there. */
  beat(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  figures(days: number): Promise<UptimeFigures>;
  processes(): Promise<(ProcessName & { upSince: Date })[]>;
}

export function createUptime({ db, log, role }: { db: SystemDb; log: Log; role: string }): Uptime {
  const name: ProcessName = { process: randomUUID(), host: hostname(), role };
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function beat(): Promise<void> {
    if (await moveSpan(db, name.process, silenceSeconds)) return;
    await breakSpan(db, name.process);
    await insertSpan(db, name);
    await deleteOldSpans(db, keptDays);
  }
  const tick = () => {
    beating = beating
      .then(beat)
      .catch((error: unknown) => log.warn({ err: error }, 'could not write down that the process is up'));
  };

  return {
    process: name.process,
    beat,
    start() {
      timer = setInterval(tick, beatMs);
      tick();
    },
    async stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      await beating;
      await endSpan(db, name.process).catch((error: unknown) =>
        log.warn({ err: error }, 'could not write down that the process stops'),
      );
    },
    async figures(days) {
      const { since, seconds, upSeconds, stretches } = await selectUptime(db, { days, silenceSeconds });
      if (since === null || stretches === 0)
        return { measured: null, since: since?.toISOString() ?? null, breaks: 0, downSeconds: 0 };
      const downSeconds = Math.max(0, Math.round(seconds - upSeconds));
      return {
        // Less than a second is rounding, not downtime.
        measured: downSeconds === 0 ? 100 : percentOf(upSeconds, seconds),
        since: since.toISOString(),
        breaks: Math.max(0, stretches - 1),
        downSeconds,
      };
    },
    processes: () => selectProcesses(db, silenceSeconds),
  };
}
