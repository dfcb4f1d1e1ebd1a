/**
 * Does work for many callers in one go: while one batch is under way, the next ones gather. So a
 * transaction is as large as the load asks for, and nobody waits for a clock.
 */
export class Batches<Item, Result> {
  readonly #work: (items: Item[]) => Promise<Result[]>;
  readonly #most: number;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  #isBusy = false;

  /** `work` answers as many results as it gets items, in their order. */
  constructor(work: (items: Item[]) => Promise<Result[]>, most = 200) {
    this.#work = work;
    this.#most = most;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    // After this turn, so that what comes together goes together.
    if (!this.#isBusy) {
      this.#isBusy = true;
      setImmediate(() => void this.#run());
    }
    return promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isBusy = false;
  }
}
