import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { WarmThreads } from './warm-threads.ts';

// Answers how often it was asked; throws at "die".
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    let asked = 0;
    parentPort.on('message', (word) => {
      if (word === 'die') throw new Error('as told');
      parentPort.postMessage(++asked);
    });`)}`,
);
const taken: Worker[] = [];
const take = (threads: WarmThreads): Worker => {
  const worker = threads.take();
  taken.push(worker);
  return worker;
};
async function ask(worker: Worker): Promise<number> {
  worker.postMessage('');
  return (await once(worker, 'message'))[0];
}
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(taken.splice(0).map((worker) => worker.terminate()));
});

it('a thread that was given back is used again, and nobody shares one', async () => {
  const threads = new WarmThreads(entry);
  const first = take(threads);
  expect(await ask(first)).toBe(1);
  const second = take(threads);
  expect(await ask(second)).toBe(1);
  threads.giveBack(first);
  expect(take(threads)).toBe(first);
  expect(await ask(first)).toBe(2);
});

it('one that was warmed up is taken first', async () => {
  const threads = new WarmThreads(entry);
  threads.warmUp();
  threads.warmUp();
  const worker = take(threads);
  expect(await ask(worker)).toBe(1);
  threads.giveBack(worker);
  threads.warmUp();
  expect(take(threads)).toBe(worker);
});

it('one that dies while it waits is not lent', async () => {
  const threads = new WarmThreads(entry);
  const worker = take(threads);
  await ask(worker);
  threads.giveBack(worker);
  worker.postMessage('die');
  await new Promise((resolve) => worker.once('exit', resolve));
  const another = take(threads);
  expect(another).not.toBe(worker);
  expect(await ask(another)).toBe(1);
});

it('no more than two wait, and none for ever', async () => {
  const threads = new WarmThreads(entry);
  const three = [take(threads), take(threads), take(threads)];
  await Promise.all(three.map(ask));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ended = three.map((worker) => once(worker, 'exit'));
  for (const worker of three) threads.giveBack(worker);
  await ended[2];
  vi.advanceTimersByTime(5 * 60_000);
  await Promise.all(ended);
  expect(three).not.toContain(take(threads));
});
