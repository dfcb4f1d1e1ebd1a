import { parentPort } from 'node:worker_threads';
import { type ContactRows, createRowJudge } from './judge-rows.ts';
import type { ThreadAnswer, ThreadOrder } from './judge-thread.ts';

// The entry of the thread that judges.
let judgeRows: ReturnType<typeof createRowJudge> | null = null;

function answer(rows: ContactRows): ThreadAnswer {
  try {
    if (!judgeRows) throw new Error('nobody has said how to judge');
    return { ok: true, judged: judgeRows(rows) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (order: ThreadOrder) => {
  if ('rows' in order) parentPort?.postMessage(answer(order.rows));
  else judgeRows = order.settings && createRowJudge(order.settings);
});
