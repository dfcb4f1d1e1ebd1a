import { Worker } from 'node:worker_threads';
import { AppError } from '#platform/shared/errors.ts';
import type { EngineAnswer, EngineJob, EngineOutcome } from './messages.ts';
import { timeoutMessage } from './timeout-message.ts';

/** An engine may notice its deadline this much later. Then it is stopped. */
const graceMs = 5_000;

export interface RunningEngine {
  /** Rejects with an AppError in words for the person who imports. */
  done: Promise<EngineOutcome>;
  /** Ends the thread at once; its transaction is rolled back. */
  stop(): Promise<void>;
}

/** Runs one import in its own thread. Its memory is bounded whatever the file. */
export function startEngine(job: EngineJob): RunningEngine {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 24 },
  });
  const done = new Promise<EngineOutcome>((resolve, reject) => {
    const timer = setTimeout(
      () => {
        reject(new AppError('timeout', timeoutMessage(job)));
        void worker.terminate();
      },
      Math.max(0, job.deadline - Date.now()) + graceMs,
    );
    worker.on('message', (answer: EngineAnswer) => {
      if (answer.ok) resolve(answer.outcome);
      else {
        const { kind, code: particular, message } = answer;
        reject(new AppError(kind, message, { particular, cause: inThread(answer.cause) }));
      }
    });
    worker.on('error', (cause) => reject(internal(cause)));
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(internal(new Error('the import engine ended without an answer')));
    });
  });
  return { done, stop: async () => void (await worker.terminate()) };
}

/**
 * Turns what went wrong in the thread into an error, because the log writes only errors in full.
 */
function inThread(stack: string): Error {
  const error = new Error(stack.split('\n', 1)[0]);
  error.stack = stack;
  return error;
}

function internal(cause: unknown): AppError {
  return new AppError(
    'internal',
    'The import could not be finished. Nothing was imported; please try again.',
    {
      cause,
    },
  );
}
