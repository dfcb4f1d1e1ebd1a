/**
 * What undo and redo go through: whole documents, which share all that did not change. Steps of the
 * same kind that follow each other quickly are one step, so that undo takes back words and not
 * letters.
 */
export interface History<Value> {
  past: readonly Value[];
  present: Value;
  future: readonly Value[];
  /** What the last step did, and when. Absent: the next step is one of its own. */
  last?: { kind: string; at: number } | undefined;
}

export const mostSteps = 200;
/** Milliseconds between two keys that are still one step. */
export const stepPause = 1_000;

export const beginHistory = <Value>(present: Value): History<Value> => ({ past: [], present, future: [] });

export interface Step {
  /** Steps with the same kind may become one. */
  kind?: string | undefined;
  /** Milliseconds, by any clock. */
  at: number;
}

export function record<Value>(history: History<Value>, next: Value, { kind, at }: Step): History<Value> {
  const { past, present, last } = history;
  if (next === present) return history;
  const continues = kind !== undefined && last?.kind === kind && at - last.at <= stepPause;
  return {
    past: continues ? past : [...past, present].slice(-mostSteps),
    present: next,
    future: [],
    last: kind === undefined ? undefined : { kind, at },
  };
}

export function undo<Value>({ past, present, future }: History<Value>): History<Value> {
  const before = past.at(-1);
  if (past.length === 0 || before === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redo<Value>({ past, present, future }: History<Value>): History<Value> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future };
  return { past: [...past, present], present: after, future: rest };
}
