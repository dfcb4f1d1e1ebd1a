import {
  type InferDataFromTag,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError } from './api.ts';
import type { WebFeature } from './feature.ts';

interface Refusals {
  /** The session has ended. */
  onSignedOut: () => void;
  /** The workspace now requires two-factor sign-in, and the signed-in person has none. */
  onTwoFactorRequired: () => void;
  /** The session has moved to another workspace than the page shows. Absent: nobody tells of it. */
  onWorkspaceChanged?: () => void;
}

/**
 * The cache with the product's defaults: fresh for five minutes, no retry, no polling, no refetch
 * on focus. Calls are made also where the browser takes itself for offline: they fail at once and
 * say so, and do not wait without end, to be made at some later time that nobody chose.
 */
export function createQueryClient(refusals: Refusals): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) refusals.onSignedOut();
    if (error.code === 'two_factor_required') refusals.onTwoFactorRequired();
    if (error.code === 'workspace_changed') refusals.onWorkspaceChanged?.();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 300_000,
        retry: false,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * Records for every call which topics change its answers, as features declare it. Call it once,
 * before the first call.
 */
export function noteTopics(
  queryClient: QueryClient,
  features: readonly Pick<WebFeature, 'changesWith'>[],
): void {
  const topics = new Map<string, string[]>();
  for (const { changesWith = {} } of features)
    for (const [topic, calls] of Object.entries(changesWith))
      for (const { path } of calls) topics.set(path, [...(topics.get(path) ?? []), topic]);
  for (const [path, changesWith] of topics) queryClient.setQueryDefaults([path], { meta: { changesWith } });
}

/**
 * Reads every call again whose answers change with a topic. Resolves when the screen is up to date.
 */
export const readAgain = (queryClient: QueryClient, topic: string): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ meta }) => Array.isArray(meta?.changesWith) && meta.changesWith.includes(topic),
  });

/**
 * Shows what is newer than the data there. An answer to an earlier question may still be on its
 * way; it is dropped, because it could show the past again. Where `next` is all of the server's
 * answer, the question is then asked once more: it may have been about something newer still.
 */
export function showNewer<Key extends QueryKey>(
  queryClient: QueryClient,
  queryKey: Key,
  next: Shown<Key> | Update<Shown<Key>>,
): void {
  const isUpdate = typeof next === 'function';
  const data = isUpdate ? (next as Update<Shown<Key>>)(queryClient.getQueryData(queryKey)) : next;
  if (data === undefined) return;
  const which = { queryKey, exact: true };
  const wasAsked = queryClient.isFetching(which) > 0;
  void queryClient.cancelQueries(which);
  queryClient.setQueryData(queryKey, data);
  if (wasAsked && !isUpdate) void queryClient.invalidateQueries(which);
}

type Update<Data> = (before: Data) => Data;
type Shown<Key extends QueryKey> = InferDataFromTag<unknown, Key> | undefined;
