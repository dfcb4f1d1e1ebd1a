import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread that waits longer than this for its next work is ended, for its memory. */
const keptMs = 5 * 60_000;
/** Threads that may wait at once. */
const mostWaiting = 2;

/** A thread, or a process of its own. */
interface Warm {
  on(event: 'error' | 'exit', listener: () => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

/**
 * Threads or processes of one kind, kept between pieces of work: a new one takes longer to load its
 * modules than most pieces of work take. Those that wait do not keep the process alive.
 */
export class WarmPool<T extends Warm> {
  readonly #beginOne: () => T;
  readonly #waiting = new Map<T, NodeJS.Timeout>();

  constructor(beginOne: () => T) {
    this.#beginOne = beginOne;
  }

  /** A thread that nobody else uses. Whoever takes it gives it back or ends it. */
  take(): T {
    const [worker] = this.#waiting.keys();
    if (!worker) return this.#begin();
    this.#leave(worker);
    worker.ref();
    return worker;
  }

  /** Keeps a thread that has nothing left to do and whose listeners are gone. */
  giveBack(worker: T): void {
    if (this.#waiting.size >= mostWaiting) {
      void worker.terminate();
      return;
    }
    worker.unref();
    const end = () => {
      this.#leave(worker);
      void worker.terminate();
    };
    this.#waiting.set(worker, setTimeout(end, keptMs).unref());
  }

  /** Loads a thread before it is needed, unless one waits. */
  warmUp(): void {
    if (this.#waiting.size === 0) this.giveBack(this.#begin());
  }

  #begin(): T {
    const worker = this.#beginOne();
    // Also heard by whoever has the thread. One that dies while it waits is nobody's failure.
    worker.on('error', () => this.#leave(worker));
    worker.on('exit', () => this.#leave(worker));
    return worker;
  }

  #leave(worker: T): void {
    clearTimeout(this.#waiting.get(worker));
    this.#waiting.delete(worker);
  }
}

export class WarmThreads extends WarmPool<Worker> {
  constructor(entry: URL, options: WorkerOptions = {}) {
    super(() => new Worker(entry, options));
  }
}
