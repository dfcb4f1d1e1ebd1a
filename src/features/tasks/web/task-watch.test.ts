import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../contract.ts';
import { failureOf } from './index.ts';
import { followTask } from './start-task.ts';
import { watchOf } from './task-store.ts';
import { watchTask } from './task-watch.ts';

/** A stream that the server refuses at once. */
class Refused extends EventTarget {
  static readonly CLOSED = 2;
  readyState = Refused.CLOSED;
  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  }
  close() {}
}

const running = { id: 7, title: 'Adding', status: 'running', done: 1, total: 9, phase: null } as Task;
/** Milliseconds until a broken stream is asked about. */
const pause = 2_000;

describe('a task whose stream broke', () => {
  let answers: { status: number; code: string }[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', Refused);
    vi.stubGlobal('fetch', async () => {
      const { status, code } = answers.shift() ?? { status: 404, code: 'not_found' };
      return new Response(JSON.stringify({ code, message: 'No.' }), { status });
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is asked about until the server answers', async () => {
    answers = [
      { status: 429, code: 'too_many_requests' },
      { status: 408, code: 'timeout' },
      { status: 503, code: 'unavailable' },
    ];
    const whenEnded = vi.fn();
    watchTask(new QueryClient(), running, { mayCancel: true, whenEnded });
    for (const left of [2, 1, 0]) {
      await vi.advanceTimersByTimeAsync(pause);
      expect(answers).toHaveLength(left);
      expect(whenEnded).not.toHaveBeenCalled();
    }
    await vi.advanceTimersByTimeAsync(pause);
    expect(whenEnded).toHaveBeenCalledOnce();
  });

  it.each([
    { status: 401, code: 'unauthenticated' },
    { status: 403, code: 'forbidden' },
    { status: 404, code: 'not_found' },
    { status: 409, code: 'workspace_changed' },
  ])(
    'is given up where that would not help ($status), and whoever waits for its end is told',
    async (answer) => {
      answers = [answer];
      const whenEnded = vi.fn();
      watchTask(new QueryClient(), running, { mayCancel: true, whenEnded });
      await vi.advanceTimersByTimeAsync(pause);
      expect(whenEnded).toHaveBeenCalledExactlyOnceWith(null);
      expect(watchOf(running.id)).toBeUndefined();
    },
  );

  it('is no failure once nobody here may see it any more, and is not told as one', async () => {
    const refused = { code: 'workspace_changed', message: 'No.' };
    const told = [() => Response.json(running), () => Response.json(refused, { status: 409 })];
    vi.stubGlobal('fetch', async () => told.shift()?.());
    const { outcome } = await followTask(new QueryClient(), { taskId: running.id });
    await vi.advanceTimersByTimeAsync(pause);
    const ended = await outcome;
    if (ended.status === 'completed') return expect.unreachable();
    const said = { title: 'Not Added', message: 'Please try again.' };
    expect(failureOf(ended, said)).toEqual({ title: 'Not Known', message: ended.message });
    expect(ended.message).toContain('is not known');
    const failed = { status: 'failed', message: 'The disk is full.' } as const;
    expect(failureOf(failed, said)).toEqual(said);
    expect(failureOf(failed)).toEqual({ title: 'Error', message: failed.message });
  });
});
