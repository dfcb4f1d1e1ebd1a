import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread that waits longer than this for its next work is ended, for its memory. */
const keptMs = 5 * 60_000;
/** Threads that may wait at once. */
const mostWaiting = 2;

/**
 * Threads of one kind, kept between pieces of work: a new thread takes longer to load its modules
 * than most pieces of work take. Waiting threads do not keep the process alive.
 */
export class WarmThreads {
  readonly #entry: URL;
  readonly #options: WorkerOptions;
  readonly #waiting = new Map<Worker, NodeJS.Timeout>();

  constructor(entry: URL, options: WorkerOptions = {}) {
    this.#entry = entry;
    this.#options = options;
  }

  /** A thread that nobody else uses. Whoever takes it gives it back or ends it. */
  take(): Worker {
    const [worker] = this.#waiting.keys();
    if (!worker) return this.#begin();
    this.#leave(worker);
    worker.ref();
    return worker;
  }

  /** Keeps a thread that has nothing left to do and whose listeners are gone. */
  giveBack(worker: Worker): void {
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

  #begin(): Worker {
    const worker = new Worker(this.#entry, this.#options);
    // Also heard by whoever has the thread. One that dies while it waits is nobody's failure.
    worker.on('error', () => this.#leave(worker));
    worker.on('exit', () => this.#leave(worker));
    return worker;
  }

  #leave(worker: Worker): void {
    clearTimeout(this.#waiting.get(worker));
    this.#waiting.delete(worker);
  }
}
