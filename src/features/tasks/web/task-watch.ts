import type { QueryClient } from '@tanstack/react-query';
import { ApiError, addressOf, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { dismissTask, publishTask } from '#platform/web/tasks.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { cancelTask, getTask, listTasks, type Task, taskEvents } from '../contract.ts';
import { endedWords, isOpen } from '../rules.ts';
import { createPace } from './pace.ts';
import { forgetWatch, setWatch, type Watch, type WhenEnded, watchOf } from './task-store.ts';

/*
 * Follows tasks through their server-sent events. There is one stream per task, however many parts
 * of the page show it. A broken stream is reopened until the server answers.
 *
 *   following --(stream breaks)--> asking --(server is back)--> following --(done)--> ended
 */

const retryMs = 2_000;
/**
 * The server sends something at least every second. A connection that is silent for longer is dead,
 * even if a proxy keeps it open.
 */
const silenceMs = 6_000;

const trayId = (id: number): string => `task-${id}`;

function publish(queryClient: QueryClient, { task, pace, mayCancel, cancelling }: Watch): void {
  const open = isOpen(task.status);
  const note = open
    ? cancelling
      ? 'Cancelling…'
      : (task.phase ?? (task.status === 'waiting' ? 'Waiting for its turn' : undefined))
    : [task.status === 'cancelled' ? 'Cancelled.' : task.error, task.summary].filter(Boolean).join(' ');
  const to = task.link ?? undefined;
  publishTask({
    id: trayId(task.id),
    label: task.title,
    state: open ? 'running' : task.status === 'completed' ? 'done' : 'failed',
    endedTitle: task.title,
    ...(open ? {} : { endedLabel: endedWords(task) }),
    ...(note ? { note } : {}),
    ...(task.done > 0 || task.total !== null ? { done: task.done } : {}),
    ...(task.total === null ? {} : { total: task.total }),
    ...(open && !cancelling ? pace : {}),
    ...(to ? { to } : {}),
    ...(open && mayCancel && !cancelling ? { cancel: () => void cancel(queryClient, task.id) } : {}),
  });
}

function tell(queryClient: QueryClient, watch: Watch): void {
  setWatch(watch);
  publish(queryClient, watch);
}

/**
 * Follows a task until its end, unless it is already followed. Calls `whenEnded` once, even if the
 * task has already ended, and with null once this page may not see it any more.
 */
export function watchTask(
  queryClient: QueryClient,
  task: Task,
  options: { mayCancel: boolean; whenEnded?: WhenEnded },
): void {
  const known = watchOf(task.id);
  if (known) {
    if (options.whenEnded && !isOpen(known.task.status)) options.whenEnded(known.task);
    else if (options.whenEnded) known.whenEnded.push(options.whenEnded);
    return;
  }
  const watch: Watch = {
    task,
    pace: {},
    measure: createPace(),
    mayCancel: options.mayCancel,
    cancelling: false,
    whenEnded: options.whenEnded ? [options.whenEnded] : [],
  };
  tell(queryClient, watch);
  if (isOpen(task.status)) follow(queryClient, task.id);
  else end(queryClient, task);
}

function follow(queryClient: QueryClient, id: number): void {
  const stream = new EventSource(addressOf(taskEvents, { params: { id } }), { withCredentials: true });
  const takeUpLater = () => {
    clearTimeout(silence);
    stream.close();
    setTimeout(() => void takeUp(queryClient, id), retryMs);
  };
  let silence = setTimeout(takeUpLater, silenceMs);
  stream.addEventListener('progress', (event) => {
    clearTimeout(silence);
    silence = setTimeout(takeUpLater, silenceMs);
    const watch = watchOf(id);
    if (!watch) return stream.close();
    const task = JSON.parse(event.data) as Task;
    const pace = watch.measure(performance.now(), task.done, task.total, task.phase);
    tell(queryClient, { ...watch, task, pace });
  });
  stream.addEventListener('done', (event) => {
    clearTimeout(silence);
    stream.close();
    end(queryClient, JSON.parse(event.data) as Task);
  });
  stream.addEventListener('error', () => {
    // The browser tries again by itself, except after an answer that is not a stream.
    if (stream.readyState === EventSource.CLOSED) takeUpLater();
  });
}

async function takeUp(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const task = await call(getTask, { params: { id } });
    if (isOpen(task.status)) follow(queryClient, id);
    else end(queryClient, task);
  } catch (error) {
    if (isFinal(error)) forget(id);
    else setTimeout(() => void takeUp(queryClient, id), retryMs);
  }
}

/**
 * Asking again would not help: the task is gone, or this page may not see it, or not any more since
 * the session ended or moved to another workspace.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && ([401, 403, 404].includes(error.status) || error.code === 'workspace_changed');

function end(queryClient: QueryClient, task: Task): void {
  const watch = watchOf(task.id);
  if (!watch) return;
  const { whenEnded } = watch;
  tell(queryClient, { ...watch, task, pace: {}, whenEnded: [] });
  queryClient.setQueryData(queryOptionsFor(getTask, { params: { id: task.id } }).queryKey, task);
  // Long work changes what many screens show. It ends so rarely that a list of those is not worth
  // keeping.
  void queryClient.invalidateQueries();
  for (const listener of whenEnded) listener(task);
}

/** Whoever waits for the end of the task is told that it will not be known here. */
function forget(id: number): void {
  const watch = watchOf(id);
  forgetWatch(id);
  dismissTask(trayId(id));
  for (const listener of watch?.whenEnded ?? []) listener(null);
}

async function cancel(queryClient: QueryClient, id: number): Promise<void> {
  const watch = watchOf(id);
  if (!watch) return;
  tell(queryClient, { ...watch, cancelling: true });
  try {
    await call(cancelTask, { params: { id } });
  } catch (error) {
    const now = watchOf(id);
    if (!now || !isOpen(now.task.status)) return;
    tell(queryClient, { ...now, cancelling: false });
    toastFailed({
      title: 'Error',
      message: words(error, 'The task could not be cancelled. Please try again.'),
    });
  }
}

/**
 * Tells the other tabs of this browser that something began, so that it appears in their trays at
 * once.
 */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tasks');

export const tellOtherTabs = (): void => channel?.postMessage('begun');

/** Calls `listener` when another tab has begun something. Returns how to stop listening. */
export function onBegunElsewhere(listener: () => void): () => void {
  channel?.addEventListener('message', listener);
  return () => channel?.removeEventListener('message', listener);
}

/** The tasks that are open now. */
export const openTasksQuery = queryOptionsFor(listTasks, { query: { open: 'true', limit: 50 } });
