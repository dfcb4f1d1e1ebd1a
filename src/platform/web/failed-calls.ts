import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { ApiError } from './api.ts';

/*
 * Calls that failed and whose answer is missing on the screen. Most groups show their own failure.
 * What no group shows, the screen itself shows (`FailedCalls`), so that nobody waits for figures
 * that will not come.
 */

/** The failures that some group on the screen shows, each with the number of groups. */
const shown = new Map<unknown, number>();
const listeners = new Set<() => void>();

function count(error: unknown, by: 1 | -1): void {
  const groups = (shown.get(error) ?? 0) + by;
  if (groups > 0) shown.set(error, groups);
  else shown.delete(error);
  for (const listener of listeners) listener();
}

/** Says that this component shows the failure, with a way to try again. */
export function useShownFailure(error: unknown): void {
  useLayoutEffect(() => {
    if (error === undefined || error === null) return;
    count(error, 1);
    return () => count(error, -1);
  }, [error]);
}

/** Trying again would not help: nobody is signed in, nobody may see it, or it is not there. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status);

/** Whether the answer is missing: it failed, and there is no earlier one to show. */
const isMissing = ({ state }: Query): boolean =>
  state.status === 'error' && state.data === undefined && !isFinal(state.error);

/** A call of the screen that failed, and what it failed with last. */
interface Failure {
  query: Query;
  error: unknown;
}

/** The calls of the screen that failed and that no group shows. */
export function useHiddenFailures(): readonly Failure[] {
  const cache = useQueryClient().getQueryCache();
  const last = useRef<readonly Failure[]>([]);
  const read = useCallback(() => {
    const found = cache
      .findAll({ type: 'active', predicate: isMissing })
      .filter(({ state }) => !shown.has(state.error))
      .map((query): Failure => ({ query, error: query.state.error }));
    // A call may fail again so soon that nobody sees it being made, and for another reason.
    const isSame =
      found.length === last.current.length &&
      found.every(({ query, error }, at) => {
        const before = last.current[at];
        return query === before?.query && error === before.error;
      });
    if (!isSame) last.current = found;
    return last.current;
  }, [cache]);
  const subscribe = useCallback(
    (onChange: () => void) => {
      // The cache also reports while components render. A group says in its layout effect that it
      // shows a failure, and this must be heard at once: otherwise it would flash up twice.
      const unsubscribe = cache.subscribe(notifyManager.batchCalls(onChange));
      listeners.add(onChange);
      return () => {
        unsubscribe();
        listeners.delete(onChange);
      };
    },
    [cache],
  );
  return useSyncExternalStore(subscribe, read);
}

/**
 * A function that makes the failed call again. Undefined when no call on the screen failed with
 * this error, or when trying again would not help.
 */
export function useRetryOf(error: unknown): (() => void) | undefined {
  const queryClient = useQueryClient();
  if (!(error instanceof ApiError) || isFinal(error)) return undefined;
  const predicate = ({ state }: Query) => state.error === error;
  if (queryClient.getQueryCache().findAll({ predicate }).length === 0) return undefined;
  return () => void queryClient.refetchQueries({ predicate });
}
