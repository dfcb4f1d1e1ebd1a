import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../contract.ts';
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
      const error = expect.stringContaining('is not known');
      expect(whenEnded).toHaveBeenCalledExactlyOnceWith({
        ...running,
        status: 'failed',
        result: null,
        error,
      });
      expect(watchOf(running.id)).toBeUndefined();
    },
  );
});
