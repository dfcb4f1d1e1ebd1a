import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import { sqlState } from '#platform/server/database.ts';
import { asAppError } from '#platform/server/error-map.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type EngineAnswer, type EngineJob, Meter, phases } from './messages.ts';
import { runEngine } from './run.ts';
import { timeoutMessage } from './timeout-message.ts';

// The entry of an engine's thread. Parsing millions of rows on the server's own thread would hold
// up every other call.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

async function answer(job: EngineJob): Promise<EngineAnswer> {
  const meter = new Meter(job.meter);
  try {
    const outcome = await runEngine(job, meter);
    meter.set('phase', phases.indexOf('done'));
    return { ok: true, outcome };
  } catch (error) {
    // PostgreSQL ended a statement because the session's time was over (57014, query_canceled).
    const { kind, code, message } =
      sqlState(error) === '57014' ? new AppError('timeout', timeoutMessage(job)) : asAppError(error);
    return {
      ok: false,
      kind,
      code,
      message,
      cause: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

// One import after the other.
parentPort?.on('message', async (job: EngineJob) => parentPort?.postMessage(await answer(job)));
