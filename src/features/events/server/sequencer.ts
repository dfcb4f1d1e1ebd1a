import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemDb } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { sequenceEvents } from './queries.ts';

/** In one transaction. */
const most = 2_000;
/** After which it looks again when there was nothing, in milliseconds. */
const pauseMs = 500;
/** The same after a failure: the database may be restarting. */
const afterFailureMs = 5_000;

/** Moves events into the stream, one process at a time. */
export class Sequencer {
  readonly #db: SystemDb;
  readonly #log: Log;
  readonly #stopper = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor({ db, log }: { db: SystemDb; log: Log }) {
    this.#db = db;
    this.#log = log;
  }

  begin(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopper;
    while (!signal.aborted) {
      const waitMs = await this.#move();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** How long to wait before the next move. */
  async #move(): Promise<number> {
    try {
      return (await sequenceEvents(this.#db, most)) === most ? 0 : pauseMs;
    } catch (error) {
      if (!this.#stopper.signal.aborted)
        this.#log.warn({ err: error }, 'events could not be moved into the stream');
      return afterFailureMs;
    }
  }
}
