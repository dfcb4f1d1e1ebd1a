import { AppError } from '#platform/shared/errors.ts';

/** Seconds after which a caller that waited in vain should try again. */
const busySeconds = 2;

interface Waiting {
  begin: () => void;
}

/**
 * Lets at most `size` callers work at once, and at most `each` for one workspace. Waiting callers
 * take turns by workspace, so that a busy workspace delays only itself. Callers without a workspace
 * (a sign-in) are limited by `size` alone.
 */
export class FairQueue {
  readonly #size: number;
  readonly #each: number;
  readonly #atWork = new Map<number | null, number>();
  /** By workspace. The workspace whose turn is next comes first. */
  readonly #waiting = new Map<number | null, Waiting[]>();
  #total = 0;

  constructor({ size, each }: { size: number; each: number }) {
    this.#size = size;
    this.#each = each;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, entries) => sum + entries.length, 0);
  }

  /**
   * Waits for a turn and returns the function that gives it back.
   * @throws AppError `unavailable` when no turn comes in time.
   */
  async enter(workspaceId: number | null, waitMs: number): Promise<() => void> {
    if (!this.#isFree(workspaceId)) await this.#wait(workspaceId, waitMs);
    else this.#begin(workspaceId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end(workspaceId);
    };
  }

  #isFree(workspaceId: number | null): boolean {
    if (this.#total >= this.#size) return false;
    return workspaceId === null || (this.#atWork.get(workspaceId) ?? 0) < this.#each;
  }

  #begin(workspaceId: number | null): void {
    this.#total += 1;
    this.#atWork.set(workspaceId, (this.#atWork.get(workspaceId) ?? 0) + 1);
  }

  #end(workspaceId: number | null): void {
    this.#total -= 1;
    const left = (this.#atWork.get(workspaceId) ?? 1) - 1;
    if (left > 0) this.#atWork.set(workspaceId, left);
    else this.#atWork.delete(workspaceId);
    this.#next();
  }

  #wait(workspaceId: number | null, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#leave(workspaceId, entry);
        reject(tooBusy());
      }, waitMs);
      const entry = {
        begin: () => {
          clearTimeout(late);
          resolve();
        },
      };
      const entries = this.#waiting.get(workspaceId);
      if (entries) entries.push(entry);
      else this.#waiting.set(workspaceId, [entry]);
    });
  }

  #leave(workspaceId: number | null, entry: Waiting): void {
    const left = (this.#waiting.get(workspaceId) ?? []).filter((one) => one !== entry);
    if (left.length > 0) this.#waiting.set(workspaceId, left);
    else this.#waiting.delete(workspaceId);
  }

  /** Passes the turn on. The workspace that gets it goes to the end of the line. */
  #next(): void {
    for (const [workspaceId, [entry, ...others]] of this.#waiting) {
      if (!entry || !this.#isFree(workspaceId)) continue;
      this.#waiting.delete(workspaceId);
      if (others.length > 0) this.#waiting.set(workspaceId, others);
      this.#begin(workspaceId);
      entry.begin();
      return;
    }
  }
}

const tooBusy = () =>
  new AppError('unavailable', 'Too much is going on at once. Nothing was changed; try again in a moment.', {
    retryAfter: busySeconds,
  });
