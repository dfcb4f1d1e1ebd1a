import type { z } from 'zod';
import type { TenantTx } from './database.ts';

/** A kind of long work. The feature that does it declares it, and every process knows it. */
export interface TaskDefinition<Input = unknown> {
  /** The feature and its action: `contacts.clean`. */
  kind: string;
  /**
   * The strict schema of its input. A field that this version does not know comes from a newer one,
   * and ignoring it may affect more contacts than were chosen. Such a task is left to a process
   * that knows the field.
   */
  input: z.ZodType<Input>;
  /** Describes the work with its numbers: "Verify 1,204,331 contacts". */
  title(input: Input): string;
  /**
   * Does the work. It may run again after a crash: then `context.state` is what the last checkpoint
   * saved, otherwise null. Returns the result (JSON) for people and programs.
   */
  run(context: TaskContext<Input>): Promise<Record<string, unknown>>;
  /**
   * Cleans up after cancelled or failed work, for example closes what `run` left open, and returns
   * the result of what was done. It may be called again after a crash, so it saves a checkpoint in
   * the transaction of its work, and answers from that when it is called again. `run` is not called
   * after that. It may also be called for a task that never began: then the state is null, and a
   * failure is tried again at night.
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
  /** Words for a person. For a cancelled task, they say that it was cancelled. */
  message: string;
}

export interface TaskContext<Input> {
  workspaceId: number;
  taskId: number;
  userId: string | null;
  /** Who started it, for the audit log: an email address, or a name if there is none. */
  actor: string | null;
  input: Input;
  /** What the last checkpoint saved. Null if there was none. */
  state: Record<string, unknown> | null;
  /** Reports how far the work is. Cheap, so call it often. */
  progress(done: number, total: number | null, phase?: string): void;
  /**
   * Saves the state in the transaction of the work it describes, so that a rerun does not repeat
   * that work. Make it the last statement of the transaction, because it locks the task's record.
   * Throws when another run has the task, and in `run` also when it was cancelled.
   */
  checkpoint(tx: TenantTx, state: Record<string, unknown>): Promise<void>;
  /** Aborted when the task is cancelled, when another run has it, and when the process stops. */
  signal: AbortSignal;
}
