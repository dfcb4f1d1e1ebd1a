import { useSyncExternalStore } from 'react';
import type { Task } from '../contract.ts';
import type { createPace, Pace } from './pace.ts';

/** Called with null where this page will not learn how the task ends. */
export type WhenEnded = (task: Task | null) => void;

/**
 * The tasks that this page follows. The code that follows them is separate and loads only when
 * there is a task.
 */
export interface Watch {
  task: Task;
  pace: Pace;
  measure: ReturnType<typeof createPace>;
  mayCancel: boolean;
  cancelling: boolean;
  whenEnded: WhenEnded[];
}

const watches = new Map<number, Watch>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

export const watchOf = (id: number): Watch | undefined => watches.get(id);

/** Replaces what was known with a new object each time, for code that compares. */
export function setWatch(watch: Watch): void {
  watches.set(watch.task.id, watch);
  tell();
}

export function forgetWatch(id: number): void {
  watches.delete(id);
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/**
 * A task that this page follows: how far it is, how fast it goes, and how it ended.
 * @public for screens that show their own task larger than the tray does
 */
export const useTask = (id: number | null): { task: Task; pace: Pace } | undefined =>
  useSyncExternalStore(subscribe, () => (id === null ? undefined : watches.get(id)));
