import type { Database } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import type { FullFor } from '../rules/limit.ts';
import { takeRoom } from './limit-queries.ts';

interface Wanted {
  goesFirst: boolean;
  resolve(waitMs: number): void;
  reject(error: unknown): void;
}

interface LimitedServer {
  db: Database;
  log: Log;
  workspaceId: number;
  id: number;
}

/**
 * The limit of one server, as this process keeps to it together with all others. What is asked for
 * while one transaction is under way goes into the next.
 */
export class ServerLimit {
  readonly #server: LimitedServer;
  #wanted: Wanted[] = [];
  #returned = 0;
  #isBusy = false;
  #firstUntil = 0;
  #othersUntil = 0;

  constructor(server: LimitedServer) {
    this.#server = server;
  }

  /** For how many milliseconds it is known to be full. */
  fullMs(goesFirst: boolean): number {
    const until = goesFirst ? this.#firstUntil : this.#othersUntil;
    return Math.max(0, until - performance.now());
  }

  /** Counts one message. Answers 0, or for how many milliseconds there is no room for it. */
  take(goesFirst: boolean): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#wanted.push({ goesFirst, resolve, reject });
    this.#begin();
    return promise;
  }

  /** A message that was counted has not left. */
  giveBack(): void {
    this.#returned += 1;
    this.#begin();
  }

  #begin(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // After this turn, so that what comes together goes together.
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    const { db, log, workspaceId, id } = this.#server;
    while (this.#wanted.length + this.#returned > 0) {
      const wanted = this.#wanted.splice(0).sort((a, b) => Number(b.goesFirst) - Number(a.goesFirst));
      const asked = { wanted: wanted.length, returned: this.#returned };
      this.#returned = 0;
      try {
        const { count, full } = await db.asTenant(workspaceId, (tx) => takeRoom(tx, workspaceId, id, asked));
        if (full) this.#note(full);
        for (const [place, { goesFirst, resolve }] of wanted.entries())
          resolve(place < count ? 0 : Math.max(1, this.fullMs(goesFirst)));
      } catch (error) {
        // What was to be given back stays counted, so that rather less leaves than more.
        log.warn({ err: error, workspaceId, server: id }, 'the limit of an SMTP server could not be read');
        for (const { reject } of wanted) reject(error);
      }
    }
    this.#isBusy = false;
  }

  #note({ firstMs, othersMs }: FullFor): void {
    this.#firstUntil = performance.now() + firstMs;
    this.#othersUntil = performance.now() + othersMs;
  }
}
