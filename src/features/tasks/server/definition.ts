import type { TaskDefinition } from '#platform/server/task-definition.ts';
import { AppError } from '#platform/shared/errors.ts';

export type { BrokenEnd, TaskContext, TaskDefinition } from '#platform/server/task-definition.ts';

export type Definitions = ReadonlyMap<string, TaskDefinition<unknown>>;

/** Why a run ended early. None of these is a failure of the work. */
export type StopReason = 'cancelled' | 'lost' | 'stopping';

export class TaskStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the task was ${reason}`);
    this.name = 'TaskStopped';
    this.reason = reason;
  }
}

/** What is told to whoever waits for a task that was cancelled. */
export const cancelledError = (): AppError =>
  new AppError('conflict', 'The task was cancelled. What it had done before stays.');
