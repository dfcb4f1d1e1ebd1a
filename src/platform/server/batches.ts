export interface BatchesOptions {
  /** The most items of a batch. */
  most: number;
  /** The most batches under way at once. A key has one at a time. */
  lanes: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Does work for many callers in one go, for each key by itself: while one batch of a key is under
 * way, its next ones gather. So a transaction is as large as the load asks for, and nobody waits
 * for a clock. Keys take turns, so that one whose work takes long delays itself alone. Nothing is
 * kept of a key that has no work.
 */
export class Batches<Key, Item, Result> {
  readonly #work: (key: Key, items: Item[]) => Promise<Result[]>;
  readonly #options: BatchesOptions;
  /** Whose turn is next comes first. */
  readonly #waiting = new Map<Key, Waiting<Item, Result>[]>();
  readonly #atWork = new Set<Key>();
  #isAsked = false;

  /** `work` answers as many results as it gets items, in their order. */
  constructor(work: (key: Key, items: Item[]) => Promise<Result[]>, options: BatchesOptions) {
    this.#work = work;
    this.#options = options;
  }

  add(key: Key, item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push({ item, resolve, reject });
    else this.#waiting.set(key, [{ item, resolve, reject }]);
    // After this turn, so that what comes together goes together.
    if (!this.#isAsked && this.#mayBegin(key)) {
      this.#isAsked = true;
      setImmediate(() => {
        this.#isAsked = false;
        this.#begin();
      });
    }
    return promise;
  }

  #mayBegin(key: Key): boolean {
    return this.#atWork.size < this.#options.lanes && !this.#atWork.has(key);
  }

  #begin(): void {
    for (const [key, waiting] of this.#waiting) {
      if (this.#atWork.size >= this.#options.lanes) return;
      if (!this.#mayBegin(key)) continue;
      const batch = waiting.splice(0, this.#options.most);
      this.#waiting.delete(key);
      // What is left goes to the end of the line.
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      this.#atWork.add(key);
      void this.#run(key, batch);
    }
  }

  async #run(key: Key, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.#work(key, items);
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#atWork.delete(key);
    this.#begin();
  }
}
