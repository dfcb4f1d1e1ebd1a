import type { TaskDefinition } from '#platform/server/task-definition.ts';
import { AppError } from '#platform/shared/errors.ts';

export type { BrokenEnd, TaskContext, TaskDefinition } from '#platform/server/task-definition.ts';

export type Definitions = ReadonlyMap<string, TaskDefinition<unknown>>;

/**
 * A task's kind with its stored input, parsed; undefined when this version does not understand one
 * of them.
 */
export function understand(
  definitions: Definitions,
  { kind, input }: { kind: string; input: unknown },
): { definition: TaskDefinition<unknown>; input: unknown } | undefined {
  const definition = definitions.get(kind);
  const parsed = definition?.input.safeParse(input);
  return definition && parsed?.success ? { definition, input: parsed.data } : undefined;
}

/** The error for whoever waits for a task that was cancelled. */
export const cancelledError = (): AppError =>
  new AppError('conflict', 'The task was cancelled. What it had done before stays.');
