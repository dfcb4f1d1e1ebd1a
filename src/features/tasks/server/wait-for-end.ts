import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, errorOfCode } from '#platform/shared/errors.ts';
import type { Task } from '../contract.ts';
import { isOpen } from '../rules.ts';
import type { TasksContext } from './context.ts';
import { cancelledError } from './definition.ts';
import { needTask } from './need-task.ts';
import { presentTask } from './present.ts';

const slowestLookMs = 1_000;

/**
 * Waits until a task has ended, whichever process runs it. Rejects with the signal's reason if that
 * comes first.
 */
export async function waitForEnd(
  context: TasksContext,
  workspaceId: number,
  id: number,
  signal?: AbortSignal,
): Promise<Task> {
  for (let pause = 20; ; pause = Math.min(pause * 2, slowestLookMs)) {
    signal?.throwIfAborted();
    const running = context.runner.find({ workspaceId, id });
    if (running) {
      await Promise.race([running.done, pauseFor(slowestLookMs, signal)]);
      if (context.runner.find({ workspaceId, id })) continue;
    }
    const row = await needTask(context, workspaceId, id);
    if (!isOpen(row.status)) return presentTask(context.definitions, row);
    if (context.disk?.isFull) throw waitsForRoom(id);
    await pauseFor(pause, signal);
  }
}

const waitsForRoom = (id: number) =>
  new AppError(
    'insufficient_storage',
    `The disk is full. This waits, and goes on by itself when there is room: task ${id}, under Tasks. It need not be begun again.`,
  );

/** Ends at once when nobody waits any more. */
const pauseFor = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);

/**
 * The result of a finished task. @throws AppError the error of a failed task, or that it was
 * cancelled.
 */
export async function resultOf(
  { db, errors }: Pick<TasksContext, 'db' | 'errors'>,
  workspaceId: number,
  id: number,
): Promise<Record<string, unknown>> {
  const row = await needTask({ db }, workspaceId, id);
  if (row.status === 'completed') return row.result ?? {};
  if (row.status === 'cancelled') throw cancelledError();
  throw errorOfCode(row.errorCode ?? 'internal', row.error ?? 'The task failed.', errors);
}
