import { WarmThreads } from '#platform/server/warm-threads.ts';
import type { ContactRows, JudgedRows, JudgeSettings } from './judge-rows.ts';

/** What the thread answers, in the order in which it received the rows. */
export type ThreadAnswer = { ok: true; judged: JudgedRows } | { ok: false; message: string };

export interface JudgeThread {
  judge(rows: ContactRows): Promise<JudgedRows>;
  stop(): Promise<void>;
}

/** What the thread is told: how to judge from now on (null: nothing more comes), or rows. */
export type ThreadOrder = { settings: JudgeSettings | null } | { rows: ContactRows };

const threads = new WarmThreads(new URL('./judge-worker.ts', import.meta.url));

/** A thread that judges: a million addresses hold up every call for seconds on the server's own. */
export function startJudgeThread(settings: JudgeSettings): JudgeThread {
  const worker = threads.take();
  const tell = (order: ThreadOrder): void => worker.postMessage(order);
  tell({ settings });
  const waiting: { resolve: (judged: JudgedRows) => void; reject: (error: Error) => void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  const onAnswer = (answer: ThreadAnswer) => {
    const first = waiting.shift();
    if (answer.ok) first?.resolve(answer.judged);
    else first?.reject(new Error(answer.message));
  };
  const onExit = () => fail(new Error('the judging thread has ended'));
  worker.on('message', onAnswer).on('error', fail).on('exit', onExit);
  return {
    judge: (rows) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting.push({ resolve, reject });
        tell({ rows });
      }),
    async stop() {
      if (failure || waiting.length > 0) return void (await worker.terminate());
      worker.off('message', onAnswer).off('error', fail).off('exit', onExit);
      failure = new Error('the judging thread was stopped');
      tell({ settings: null });
      threads.giveBack(worker);
    },
  };
}
