import { useSyncExternalStore } from 'react';

/** Long work that a person may leave and find again in the header's task tray. */
export interface Task {
  /** Unique across features, for example `import-42`. */
  id: string;
  /** What is happening: "Verifying domains". */
  label: string;
  state: 'running' | 'done' | 'failed';
  /** Shown in the header and in the tray when it has ended: "Import done". */
  endedLabel?: string;
  /** Replaces `endedLabel` in the tray when there is more to say: "Clean the database". */
  endedTitle?: string;
  /** One sentence below: the outcome, why it failed, or what it is doing. */
  note?: string;
  /** Stops it. Absent when it cannot be stopped, or not by this person. */
  cancel?: () => void;
  done?: number;
  /** Absent while the total is unknown. */
  total?: number;
  /** How much of the whole is done, 0 to 1, if that is known better than by `done` of `total`. */
  share?: number;
  /** Things per second. */
  rate?: number;
  secondsLeft?: number;
  /** The screen that shows it. */
  to?: string;
}

let tasks: readonly Task[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Task[]): void {
  tasks = next;
  for (const listener of listeners) listener();
}

/** Shows a task in the tray, or updates one already there. */
export function publishTask(task: Task): void {
  set(
    tasks.some(({ id }) => id === task.id)
      ? tasks.map((one) => (one.id === task.id ? task : one))
      : [...tasks, task],
  );
}

/** Removes a task from the tray, for example when its result has been seen. */
export function dismissTask(id: string): void {
  if (tasks.some((task) => task.id === id)) set(tasks.filter((task) => task.id !== id));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useTasks = (): readonly Task[] => useSyncExternalStore(subscribe, () => tasks);
