import { inBackground } from '#platform/server/call-context.ts';
import type { Log } from '#platform/server/logging.ts';
import { isPassing } from '#platform/server/work/stopped.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Reader } from './addresses.ts';
import type { Wish } from './wish-queries.ts';
import { carryOut, type Parts, patienceMs, storeWish, wishForGone } from './wishes.ts';

/** Wishes of a workspace that wait for their turn in this process. More wait for the job. */
const longestLine = 100;

/**
 * How long a reader waits for it, at most, until their wish is carried out. As a rule it takes
 * milliseconds, and `patienceMs` while the list is busy. The rest is for a machine that is.
 */
const answerMs = 2_000;

interface Waiting {
  wish: Wish & Reader;
  answer: () => void;
}

/**
 * Takes wishes to leave. Each is carried out once it is stored, one after the other in a workspace,
 * on a connection for background work. Whoever carries one out may have to wait for the suppression
 * list, and strangers have few connections: readers behind them could not even say what they want.
 */
export class WishBook {
  readonly #parts: Parts & { log: Log };
  readonly #lines = new Map<number, Waiting[]>();
  readonly #atWork = new Set<Promise<void>>();

  constructor(parts: Parts & { log: Log }) {
    this.#parts = parts;
  }

  /**
   * Somebody leaves. The wish is safe once this answers, and from then on nothing is handed over to
   * any of their addresses. As a rule it is carried out by then too. While the suppression list is
   * busy, or where the bin takes too long to go through, it is carried out within a minute.
   */
  async leave(workspaceId: number, wish: Wish & Reader): Promise<void> {
    await storeWish(this.#parts, workspaceId, wish);
    await this.#soon(workspaceId, wish);
  }

  /** Waits for what is under way. */
  async settle(): Promise<void> {
    await Promise.all(this.#atWork);
  }

  #soon(workspaceId: number, wish: Wish & Reader): Promise<void> {
    const line = this.#lines.get(workspaceId);
    if (line && line.length >= longestLine) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, answerMs);
      const answer = () => {
        clearTimeout(late);
        resolve();
      };
      if (line) line.push({ wish, answer });
      else this.#begin(workspaceId, [{ wish, answer }]);
    });
  }

  #begin(workspaceId: number, line: Waiting[]): void {
    this.#lines.set(workspaceId, line);
    const work = inBackground(() => this.#run(workspaceId, line)).finally(() => this.#atWork.delete(work));
    this.#atWork.add(work);
  }

  /** Once one has waited in vain, the others wait for the job, and their readers for nothing. */
  async #run(workspaceId: number, line: Waiting[]): Promise<void> {
    let isHeld = false;
    for (let one = line.shift(); one; one = line.shift()) {
      isHeld = await this.#try(workspaceId, one.wish, isHeld);
      one.answer();
      if (isHeld) for (const { answer } of line) answer();
    }
    this.#lines.delete(workspaceId);
  }

  /**
   * Whatever fails here, the wish holds and the job carries it out. Returns whether somebody holds
   * what is needed.
   */
  async #try(workspaceId: number, wish: Wish & Reader, isHeld: boolean): Promise<boolean> {
    const { db, log } = this.#parts;
    const { mailingId, sendId } = wish;
    const began = performance.now();
    try {
      await db.asTenant(workspaceId, (tx) => wishForGone(tx, workspaceId, wish));
      const listMs = patienceMs - (performance.now() - began);
      if (!isHeld) await carryOut(this.#parts, workspaceId, wish, { listMs, goneOf: null });
      return isHeld;
    } catch (error) {
      const isExpected = error instanceof AppError && error.kind !== 'internal';
      const level = isExpected ? 'info' : isPassing(error) ? 'warn' : 'error';
      log[level]({ err: error, workspaceId, mailingId, sendId }, 'A wish to leave waits for the next minute');
      return isHeld || isPassing(error);
    }
  }
}
