import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { asAppError } from '#platform/server/error-map.ts';
import { type EngineAnswer, type EngineJob, Meter, phases } from './messages.ts';
import { runEngine } from './run.ts';

// The entry of an engine's thread: parsing millions of rows would hold up every other call on the server's own.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const job = workerData as EngineJob;
const meter = new Meter(job.meter);

async function answer(): Promise<EngineAnswer> {
  try {
    const outcome = await runEngine(job, meter);
    meter.set('phase', phases.indexOf('done'));
    return { ok: true, outcome };
  } catch (error) {
    const { code, message } = asAppError(error);
    return {
      ok: false,
      code,
      message,
      cause: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

parentPort?.postMessage(await answer());
