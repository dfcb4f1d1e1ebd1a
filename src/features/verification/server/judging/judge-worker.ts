import { parentPort, workerData } from 'node:worker_threads';
import { type ContactRows, createRowJudge, type JudgeSettings } from './judge-rows.ts';
import type { ThreadAnswer } from './judge-thread.ts';

// The entry point of the judging thread.
const judgeRows = createRowJudge(workerData as JudgeSettings);

function answer(rows: ContactRows): ThreadAnswer {
  try {
    return { ok: true, judged: judgeRows(rows) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (rows: ContactRows) => parentPort?.postMessage(answer(rows)));
