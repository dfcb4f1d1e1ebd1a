import type { z } from 'zod';
import type { TenantTx } from './database.ts';

/** A kind of long work. The feature that does it declares it, and every process knows it. */
export interface TaskDefinition<Input = unknown> {
  /** The feature and what is done: `contacts.clean`. */
  kind: string;
  /**
   * What its input is, strictly. A field that this version does not know comes from a newer one,
   * and the rest without it may mean more contacts than were chosen. Such a task is left to a
   * process that knows the field.
   */
  input: z.ZodType<Input>;
  /** What is done in words, with the numbers: "Verify 1,204,331 contacts". */
  title(input: Input): string;
  /**
   * Does the work. It may run again after a crash: then `context.state` is what the last
   * checkpoint saved, else null. Answers the result (JSON) that people and programs are shown.
   */
  run(context: TaskContext<Input>): Promise<Record<string, unknown>>;
  /**
   * What was done before the work was cancelled or failed for good, for example to close what
   * `run` left open. Its answer is kept as the result. It may be called again after a crash, and
   * for a task that never began.
   */
  broken?(context: TaskContext<Input>, end: BrokenEnd): Promise<Record<string, unknown>>;
  /** The result in a sentence, for people: "1,204 contacts removed". */
  summary?(result: Record<string, unknown>, input: Input): string;
  /** The path of the screen that shows the outcome. */
  link?(result: Record<string, unknown>, input: Input): string | null;
}

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
   * Saves the state in the transaction of the work it tells of, so that a rerun does not do that
   * work twice. It is best as the last statement of the transaction, because it holds the task's
   * record. Throws when the task was cancelled or another run has it.
   */
  checkpoint(tx: TenantTx, state: Record<string, unknown>): Promise<void>;
  /** Aborted when the task is cancelled, when another run has it, and when the process stops. */
  signal: AbortSignal;
}
