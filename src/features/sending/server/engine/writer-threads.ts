import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DueSend } from '../send-queries.ts';
import type { WritingOf, WrittenMessage } from './writer.ts';

/** What a thread is told: what to write with, messages to write, or that a mailing is over. */
export type WriterOrder =
  | { open: number; what: WritingOf }
  | { forget: number }
  | { writer: number; batch: number; sends: readonly DueSend[]; at: number };

/** The messages in the order of their sends. Null stands for one that cannot be written. */
export type WriterAnswer =
  | { batch: number; messages: readonly (WrittenMessage | null)[] }
  | { batch: number; failure: string };

/** Writes the messages of one mailing. */
export interface MessageWriter {
  /** Null when nothing can be sent to this person. Rejects when no thread can write. */
  write(send: DueSend): Promise<WrittenMessage | null>;
  /** Lets go of what the threads know of the mailing. */
  close(): void;
}

/** As many as there are processors: the rest of the process needs a third of one. */
const mostThreads = Math.min(4, availableParallelism());
/** Few enough that all threads get something, many enough that handing over costs little. */
const batchSize = 16;
/** A thread with nothing to write is ended after this time, for its memory. */
const keptMs = 60_000;

/** Fills, composes and signs messages on threads beside: that is most of the work there is. */
export class WriterThreads {
  readonly #threads: WriterThread[] = [];
  #last = 0;

  writer(what: WritingOf): MessageWriter {
    const id = ++this.#last;
    let gathered: {
      send: DueSend;
      resolve: (message: WrittenMessage | null) => void;
      reject: (error: Error) => void;
    }[] = [];
    const hand = () => {
      const all = gathered;
      gathered = [];
      for (let from = 0; from < all.length; from += batchSize) {
        const batch = all.slice(from, from + batchSize);
        this.#freest()
          .write(
            id,
            what,
            batch.map(({ send }) => send),
          )
          .then(
            (messages) => {
              for (const [place, { resolve }] of batch.entries()) resolve(messages[place] ?? null);
            },
            (error: Error) => {
              for (const { reject } of batch) reject(error);
            },
          );
      }
    };
    return {
      write: (send) =>
        new Promise((resolve, reject) => {
          if (gathered.push({ send, resolve, reject }) === 1) setImmediate(hand);
        }),
      close: () => {
        for (const thread of this.#threads) thread.forget(id);
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** The thread with the least to do; a further one when all have something. */
  #freest(): WriterThread {
    let [best] = this.#threads;
    for (const thread of this.#threads) if (best && thread.load < best.load) best = thread;
    if (best && (best.load === 0 || this.#threads.length >= mostThreads)) return best;
    const further = new WriterThread();
    this.#threads.push(further);
    return further;
  }
}

class WriterThread {
  #worker: Worker | null = null;
  #open = new Set<number>();
  readonly #waiting = new Map<
    number,
    { resolve(messages: readonly (WrittenMessage | null)[]): void; reject(error: Error): void }
  >();
  #lastBatch = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Batches that it has not answered. */
  get load(): number {
    return this.#waiting.size;
  }

  write(
    writer: number,
    what: WritingOf,
    sends: readonly DueSend[],
  ): Promise<readonly (WrittenMessage | null)[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (WrittenMessage | null)[]>();
    clearTimeout(this.#idle);
    this.#worker ??= this.#begin();
    if (!this.#open.has(writer)) {
      this.#open.add(writer);
      this.#tell({ open: writer, what });
    }
    const batch = ++this.#lastBatch;
    this.#waiting.set(batch, { resolve, reject });
    this.#tell({ writer, batch, sends, at: Date.now() });
    return promise;
  }

  forget(writer: number): void {
    if (this.#open.delete(writer)) this.#tell({ forget: writer });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#end(new Error('The thread that writes messages was stopped.'));
    await worker?.terminate();
  }

  #begin(): Worker {
    const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    const end = (error: Error) => {
      if (this.#worker === worker) this.#end(error);
    };
    worker
      .on('message', (answer: WriterAnswer) => this.#take(answer))
      .on('error', end)
      .on('exit', () => end(new Error('The thread that writes messages has ended.')));
    // What waits for a message waits for the database or a mail server afterwards.
    worker.unref();
    return worker;
  }

  #tell(order: WriterOrder): void {
    this.#worker?.postMessage(order);
  }

  #take(answer: WriterAnswer): void {
    const waiting = this.#waiting.get(answer.batch);
    this.#waiting.delete(answer.batch);
    if ('failure' in answer) waiting?.reject(new Error(answer.failure));
    else waiting?.resolve(answer.messages.map(asBuffer));
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.stop(), keptMs).unref();
  }

  #end(error: Error): void {
    clearTimeout(this.#idle);
    this.#worker = null;
    this.#open = new Set();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Between threads a `Buffer` becomes a plain array of bytes. */
const asBuffer = (message: WrittenMessage | null): WrittenMessage | null =>
  message && {
    ...message,
    raw: Buffer.from(message.raw.buffer, message.raw.byteOffset, message.raw.byteLength),
  };
