import type { Worker } from 'node:worker_threads';
import { WarmThreads } from '#platform/server/warm-threads.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import type { importedHtml } from '../../rules/imported-html.ts';
import type { RenderedMjml } from '../../rules/mjml/render.ts';

/** What the thread makes, by what it is given. */
export interface Rendered {
  mjml: RenderedMjml;
  document: string;
  html: ReturnType<typeof importedHtml>;
  /** Answered when the thread has loaded its modules. */
  nothing: null;
}
interface Given {
  mjml: string;
  document: TemplateDocument;
  html: string;
  nothing: null;
}
type Kind = keyof Given;

export type RenderOrder = { [Key in Kind]: { kind: Key; given: Given[Key] } }[Kind];
export type RenderAnswer =
  | { ok: true; made: Rendered[Kind] }
  | { ok: false; message: string; isRefusal: boolean };

/** Processor time. The largest messages that the limits allow take a third of it. */
const mostCpuMs = 1_000;
/** On a busy machine a thread gets little of it. */
const mostMs = 10_000;
const lookEveryMs = 100;
/** Threads at once: what others ask for waits. */
const mostThreads = 2;

const threads = new WarmThreads(new URL('./render-worker.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
});

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Makes HTML in a thread of its own, because MJML takes from 10 milliseconds to a third of a second
 * and would hold up every other call. The thread is ended when something takes too long or too much
 * memory: `invalid_input`.
 */
export async function inThread<Key extends Kind>(kind: Key, given: Given[Key]): Promise<Rendered[Key]> {
  if (running >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return (await runOn(threads.take(), { kind, given } as RenderOrder)) as Rendered[Key];
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const tooMuch = (): AppError =>
  new AppError('invalid_input', 'This template takes too long to make HTML of. Make it smaller or simpler.');

async function runOn(worker: Worker, order: RenderOrder): Promise<Rendered[Kind]> {
  // A new thread loads for longer than most messages take, and that is not their fault.
  await answerOf(worker, { kind: 'nothing', given: null });
  const made = await answerOf(worker, order, watched);
  threads.giveBack(worker);
  return made;
}

type Watch = (worker: Worker, onLate: () => void) => () => void;

/** What the thread answers to an order. It is ended when it fails. */
function answerOf(worker: Worker, order: RenderOrder, watch?: Watch): Promise<Rendered[Kind]> {
  const { promise, resolve, reject } = Promise.withResolvers<Rendered[Kind]>();
  const stopWatch = watch?.(worker, () => fail(tooMuch()));
  const leave = (): void => {
    stopWatch?.();
    worker.off('message', onAnswer).off('error', fail).off('exit', onExit);
  };
  const fail = (error: Error & { code?: string }): void => {
    leave();
    void worker.terminate();
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error);
  };
  const onAnswer = (answer: RenderAnswer): void => {
    if (answer.ok) {
      leave();
      resolve(answer.made);
    } else fail(answer.isRefusal ? new AppError('invalid_input', answer.message) : new Error(answer.message));
  };
  const onExit = (): void => fail(new Error('the rendering thread has ended'));
  worker.on('message', onAnswer).on('error', fail).on('exit', onExit);
  worker.postMessage(order);
  return promise;
}

/** Calls when a thread has had its time. */
const watched: Watch = (worker, onLate) => {
  const began = Date.now();
  const before = cpuOf(worker);
  const timer = setInterval(async () => {
    const used = (await cpuOf(worker)) - (await before);
    if (used > mostCpuMs || Date.now() - began > mostMs) onLate();
  }, lookEveryMs);
  return () => clearInterval(timer);
};

/** Milliseconds. A thread that has ended has no more of them. */
async function cpuOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}
