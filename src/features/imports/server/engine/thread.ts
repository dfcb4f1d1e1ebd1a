import { WarmThreads } from '#platform/server/warm-threads.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { EngineAnswer, EngineJob, EngineOutcome } from './messages.ts';
import { timeoutMessage } from './timeout-message.ts';

/** An engine may notice its deadline this much later. Then it is stopped. */
const graceMs = 5_000;
/** A thread that has read more rows than this is not used again: its heap has grown. */
const rowsToKeep = 100_000;

const threads = new WarmThreads(new URL('./worker.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 24 },
});

/** Loads an engine, so that the next import does not wait for that. */
export const warmUpEngine = (): void => threads.warmUp();

export interface RunningEngine {
  /** Rejects with an AppError in words for the person who imports. */
  done: Promise<EngineOutcome>;
  /** Ends the thread at once; its transaction is rolled back. Does nothing after `done`. */
  stop(): Promise<void>;
}

/** Runs one import in its own thread. Its memory is bounded whatever the file. */
export function startEngine(job: EngineJob): RunningEngine {
  const worker = threads.take();
  const { promise: done, resolve, reject } = Promise.withResolvers<EngineOutcome>();
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
  };
  const onAnswer = (answer: EngineAnswer) => {
    end();
    if (mayBeUsedAgain(answer)) threads.giveBack(worker);
    else void worker.terminate();
    if (answer.ok) resolve(answer.outcome);
    else reject(failureOf(answer));
  };
  const onError = (cause: unknown) => {
    end();
    reject(internal(cause));
  };
  const onExit = () => onError(new Error('the import engine ended without an answer'));
  const onLate = () => {
    end();
    reject(new AppError('timeout', timeoutMessage(job)));
    void worker.terminate();
  };
  const timer = setTimeout(onLate, Math.max(0, job.deadline - Date.now()) + graceMs);
  worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
  worker.postMessage(job);
  return {
    done,
    async stop() {
      if (!isOver) await worker.terminate();
    },
  };
}

/** After a failure that is no fault of ours the thread is as good as new. */
const mayBeUsedAgain = (answer: EngineAnswer): boolean =>
  answer.ok ? answer.outcome.rows <= rowsToKeep : answer.kind !== 'internal' && answer.kind !== 'timeout';

function failureOf({ kind, code, message, cause }: Extract<EngineAnswer, { ok: false }>): AppError {
  return new AppError(kind, message, { particular: code, cause: inThread(cause) });
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
