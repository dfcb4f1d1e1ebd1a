import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError, addressOf } from '#platform/web/api.ts';
import { dismissTask, publishTask } from '#platform/web/tasks.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type ImportProgress, type ImportRecord, importEvents } from '../contract.ts';
import { importQuery, isBusy, refreshAfterImport, refreshImports, showImport } from './api.ts';
import { failedMessage, importedMessage } from './import-words.ts';

/*
 * Follows imports through their server-sent events. There is one stream per import, however many
 * parts of the page show it: the import's own screen, a dialog, the task tray. A broken stream is
 * reopened until the server answers.
 *
 *   following --(stream breaks)--> lost --(server is back)--> following --(done)--> ended --(a moment)--> gone
 */

export interface ImportWatch {
  id: number;
  fileName: string;
  /** A dry run, which ends in `checked`. */
  dryRun: boolean;
  /** When it was begun to be followed, on the page's clock. */
  since: number;
  progress: ImportProgress | null;
  secondsLeft: number | undefined;
  /** The server does not answer right now. */
  lost: boolean;
  /** Set when the work has ended. */
  outcome: ImportRecord | null;
}

interface WatchOptions {
  fileName: string;
  dryRun: boolean;
  /** Tell the person how it ended: it began here, or its screen is open. */
  announce: boolean;
}

const watches = new Map<number, ImportWatch>();
const announced = new Set<number>();
const listeners = new Set<() => void>();
const retryMs = 2_000;
/**
 * The server sends something at least every second. A connection that is silent for longer is dead,
 * even if a proxy keeps it open.
 */
const silenceMs = 6_000;
/**
 * How long the full bar stays before the result takes its place. After a quick import nobody has
 * seen a bar, and the result comes at once.
 */
export const fullBarMs = ({ since }: ImportWatch): number => (performance.now() - since < 1_000 ? 0 : 600);

/** The import's name in the task tray. */
export const taskId = (id: number): string => `import-${id}`;

function change(id: number, patch: Partial<ImportWatch>): void {
  const watch = watches.get(id);
  if (!watch) return;
  const next = { ...watch, ...patch };
  watches.set(id, next);
  publish(next);
  for (const listener of listeners) listener();
}

function publish({ id, fileName, dryRun, progress, secondsLeft, outcome }: ImportWatch): void {
  const failed = outcome?.status === 'failed';
  publishTask({
    id: taskId(id),
    label: `${dryRun ? 'Checking' : 'Importing'} ${fileName}`,
    state: outcome === null ? 'running' : failed ? 'failed' : 'done',
    endedLabel: dryRun
      ? failed
        ? 'Check failed'
        : 'Ready to import'
      : failed
        ? 'Import failed'
        : 'Import done',
    to: `/imports/${id}`,
    ...(progress ? { done: progress.rows, share: progress.share, rate: progress.rowsPerSecond } : {}),
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
  });
}

/** Begins to follow an import, unless it is already followed. */
export function watchImport(
  queryClient: QueryClient,
  id: number,
  { fileName, dryRun, announce }: WatchOptions,
): void {
  if (announce) announced.add(id);
  const known = watches.get(id);
  if (known && known.outcome === null) {
    // Somebody quick has pressed Import before the end of the check was heard of.
    if (known.dryRun && !dryRun) change(id, { dryRun, since: performance.now() });
    return;
  }
  watches.set(id, {
    id,
    fileName,
    dryRun,
    since: performance.now(),
    progress: null,
    secondsLeft: undefined,
    lost: false,
    outcome: null,
  });
  change(id, {});
  follow(queryClient, id);
}

function follow(queryClient: QueryClient, id: number): void {
  const stream = new EventSource(addressOf(importEvents, { params: { id } }), { withCredentials: true });
  let first: { share: number; at: number } | null = null;
  const lose = () => change(id, { lost: true, secondsLeft: undefined });
  const takeUpLater = () => {
    clearTimeout(silence);
    stream.close();
    lose();
    setTimeout(() => void takeUp(queryClient, id), retryMs);
  };
  let silence = setTimeout(takeUpLater, silenceMs);
  stream.addEventListener('progress', (event) => {
    clearTimeout(silence);
    silence = setTimeout(takeUpLater, silenceMs);
    const progress = JSON.parse(event.data) as ImportProgress;
    first ??= { share: progress.share, at: performance.now() };
    change(id, { progress, lost: false, secondsLeft: secondsLeft(progress.share, first) });
  });
  stream.addEventListener('done', (event) => {
    clearTimeout(silence);
    stream.close();
    end(queryClient, id, JSON.parse(event.data) as ImportRecord);
  });
  stream.addEventListener('error', () => {
    // The browser tries again by itself, except after an answer that is not a stream.
    if (stream.readyState === EventSource.CLOSED) takeUpLater();
    else lose();
  });
}

/** How many seconds remain at the pace so far; undefined until that is known. */
function secondsLeft(share: number, first: { share: number; at: number }): number | undefined {
  const seconds = (performance.now() - first.at) / 1000;
  const done = share - first.share;
  return seconds < 2 || done < 0.02 ? undefined : ((1 - share) / done) * seconds;
}

async function takeUp(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const record = await queryClient.fetchQuery({ ...importQuery(id), staleTime: 0 });
    if (isBusy(record)) follow(queryClient, id);
    else end(queryClient, id, record);
  } catch (error) {
    const gone = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (gone) forget(id);
    else setTimeout(() => void takeUp(queryClient, id), retryMs);
  }
}

function end(queryClient: QueryClient, id: number, record: ImportRecord): void {
  // This is the end of the check before it.
  if (watches.get(id)?.dryRun === false && record.status === 'checked') {
    follow(queryClient, id);
    return;
  }
  showImport(queryClient, id, (before) =>
    // Somebody quick has made a choice since, and its check has been shown.
    record.status === 'checked' && before?.status === 'checked'
      ? before
      : { check: before?.check ?? null, notes: before?.notes ?? null, ...record },
  );
  change(id, { outcome: record, lost: false });
  if (record.status === 'checked') void refreshImports(queryClient);
  else void refreshAfterImport(queryClient);
  if (announced.delete(id)) announce(record);
  const ended = watches.get(id);
  setTimeout(() => {
    // Somebody quick may have started the import itself by now. Then that watch stays.
    if (watches.get(id)?.outcome !== record) return;
    watches.delete(id);
    for (const listener of listeners) listener();
  }, ended && fullBarMs(ended));
}

function announce(record: ImportRecord): void {
  if (record.status === 'completed')
    toastDone(importedMessage(record.results?.imported ?? 0, record.newlySuppressed ?? 0));
  if (record.status === 'failed' && !onScreen.has(record.id)) toastFailed(failedMessage);
}

/**
 * Imports whose failure a screen or a dialog tells with its reason, so that no toast repeats it.
 */
const onScreen = new Set<number>();

/**
 * Says before the first event that what sent the file will tell how the import ends. Its screen may
 * open later than a quick import fails.
 */
export const willTellOutcome = (id: number): void => {
  onScreen.add(id);
};

/** Says that this component tells how the import ended, until it goes. */
export function useTellsOutcome(id: number | null): void {
  useEffect(() => {
    if (id === null) return;
    onScreen.add(id);
    return () => {
      onScreen.delete(id);
    };
  }, [id]);
}

function forget(id: number): void {
  watches.delete(id);
  dismissTask(taskId(id));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The import's progress while it runs and for a moment after; undefined otherwise. */
export const useImportWatch = (id: number | null): ImportWatch | undefined =>
  useSyncExternalStore(subscribe, () => (id === null ? undefined : watches.get(id)));

const heldAt = 95;

/** The bar's value in percent: the measured share, held at 95 until the answer is there. */
export const barPercent = (share: number, answered: boolean): number =>
  answered ? 100 : Math.min(share * 100, heldAt);
