const windowMs = 60_000;
/** Keys that are remembered. When there are more, all begin anew. */
const mostKeys = 100_000;

/** Counts calls by a key, a minute at a time, in the memory of this process. */
export class CallLimit {
  readonly #most: number;
  #counts = new Map<string, number>();
  #end = 0;

  /** @param most calls a minute for one key. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a call. False when it is one too many. */
  take(key: string): boolean {
    const now = Date.now();
    if (now >= this.#end || this.#counts.size >= mostKeys) {
      this.#counts = new Map();
      this.#end = now + windowMs;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#most;
  }
}
