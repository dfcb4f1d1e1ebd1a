import { Worker } from 'node:worker_threads';
import type { ContactRows, JudgedRows, JudgeSettings } from './judge-rows.ts';

/** What the thread answers, in the order in which it received the rows. */
export type ThreadAnswer = { ok: true; judged: JudgedRows } | { ok: false; message: string };

export interface JudgeThread {
  judge(rows: ContactRows): Promise<JudgedRows>;
  stop(): Promise<void>;
}

/**
 * A thread that judges. On the server's main thread, a million addresses would hold up every call
 * for seconds.
 */
export function startJudgeThread(settings: JudgeSettings): JudgeThread {
  const worker = new Worker(new URL('./judge-worker.ts', import.meta.url), { workerData: settings });
  const waiting: { resolve: (judged: JudgedRows) => void; reject: (error: Error) => void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (answer: ThreadAnswer) => {
    const first = waiting.shift();
    if (answer.ok) first?.resolve(answer.judged);
    else first?.reject(new Error(answer.message));
  });
  worker.on('error', (error) => fail(error as Error));
  worker.on('exit', () => fail(new Error('the judging thread has ended')));
  return {
    judge: (rows) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting.push({ resolve, reject });
        worker.postMessage(rows);
      }),
    stop: async () => void (await worker.terminate()),
  };
}
