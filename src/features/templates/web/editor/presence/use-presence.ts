import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { type ApiError, addressOf, call, request } from '#platform/web/api.ts';
import { beatSeconds, endPresence, keepPresence, type LatestVersion } from '../../../contract/presence.ts';
import { thisWindow } from './this-window.ts';

export type Presence = ResponseOf<typeof keepPresence>;

const keyOf = (id: number | undefined) => [keepPresence.path, { id: id ?? null }] as const;
/** Milliseconds. */
const hideAfter = 1_000;

const isHidden = (): boolean => document.visibilityState === 'hidden';

/**
 * Says every few seconds that this window has a template open, and hears who else has, and which
 * version is the newest. Says so when the window is hidden, shown or closed, too.
 */
export function usePresence(id: number | undefined) {
  const window = thisWindow;
  const query = useQuery<Presence, ApiError>({
    queryKey: keyOf(id),
    queryFn: ({ signal }) =>
      call(keepPresence, { params: { id: id ?? 0, window }, body: { isHidden: isHidden() }, signal }),
    enabled: id !== undefined,
    staleTime: 0,
    // Who was there a while ago says nothing.
    gcTime: 0,
    refetchInterval: beatSeconds * 1000,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  const { refetch } = query;
  useEffect(() => {
    if (id === undefined) return;
    let later: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(later);
      tellClosed(id, window);
    };
    // A page that goes is hidden, too: it must not say after its end that it is there. When it is
    // shown again, the query asks by itself.
    const hide = () => {
      clearTimeout(later);
      if (isHidden()) later = setTimeout(() => void (isHidden() && refetch()), hideAfter);
    };
    document.addEventListener('visibilitychange', hide);
    globalThis.addEventListener('pagehide', close);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      globalThis.removeEventListener('pagehide', close);
      close();
    };
  }, [id, window, refetch]);
  return query;
}

/** The page may be going, so nobody waits for the answer. Without it, silence says the same. */
function tellClosed(id: number, window: string): void {
  const init: RequestInit = { method: endPresence.method, keepalive: true };
  request(addressOf(endPresence, { params: { id, window } }), init).catch(() => undefined);
}

/** This window knows before the next answer which version is the newest: it has saved it. */
export const noteLatest = (queryClient: QueryClient, id: number, latest: LatestVersion): void =>
  void queryClient.setQueryData<Presence>(keyOf(id), (known) => known && { ...known, latest });
