import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';

/** A kind of long work. The feature that does it defines it, once in every process. */
export interface TaskDefinition<Input> {
  /** The feature and what is done: `contacts.clean`. */
  kind: string;
  /** What is done in words, with the numbers: "Verify 1,204,331 contacts". */
  title(input: Input): string;
  /**
   * Does the work. May be run again after a crash: then `context.state` is what the last checkpoint saved, else null.
   * Answers the result (JSON) that people and programs are shown.
   */
  run(context: TaskContext<Input>): Promise<Record<string, unknown>>;
  /**
   * What was done before the work was cancelled or failed for good, for example to close what `run` left open. Its answer is
   * kept as the result. May be called again after a crash, and for a task of which nothing was begun.
   */
  broken?(context: TaskContext<Input>, end: BrokenEnd): Promise<Record<string, unknown>>;
  /** The result in a sentence, for people: "1,204 contacts removed". */
  summary?(result: Record<string, unknown>, input: Input): string;
  /** The path of the screen that shows the outcome. */
  link?(result: Record<string, unknown>, input: Input): string | null;
}

export type Definitions = ReadonlyMap<string, TaskDefinition<unknown>>;

/** How a task came to an early end. */
export interface BrokenEnd {
  status: 'failed' | 'cancelled';
  /** Words for a person; of a cancelled task, that it was cancelled. */
  message: string;
}

export interface TaskContext<Input> {
  workspaceId: number;
  taskId: number;
  userId: string | null;
  /** Who started it, for the audit log: an email address, or a name where there is none. */
  actor: string | null;
  input: Input;
  /** What the last checkpoint saved; null when there was none. */
  state: Record<string, unknown> | null;
  /** Tells how far it is; cheap, may be called often. */
  progress(done: number, total: number | null, phase?: string): void;
  /**
   * Saves the state in the transaction of the work it tells of, so that a rerun does not do that work twice. Best as the last
   * statement of the transaction: it holds the task's record. Throws when the task was cancelled or another run has it.
   */
  checkpoint(tx: TenantTx, state: Record<string, unknown>): Promise<void>;
  /** Aborted when the task is cancelled, when another run has it, and when the process stops. */
  signal: AbortSignal;
}

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
