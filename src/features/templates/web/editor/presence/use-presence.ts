import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { type ApiError, addressOf, call, request } from '#platform/web/api.ts';
import { beatSeconds, endPresence, keepPresence, type LatestVersion } from '../../../contract/presence.ts';
import { newId } from '../../visual/new-id.ts';

export type Presence = ResponseOf<typeof keepPresence>;

const keyOf = (id: number | undefined) => [keepPresence.path, { id: id ?? null }] as const;
const isHidden = (): boolean => document.visibilityState === 'hidden';

/**
 * Says every few seconds that this window has a template open, and hears who else has, and which
 * version is the newest. Says so when the window is hidden, shown or closed, too.
 */
export function usePresence(id: number | undefined) {
  const [window] = useState(newId);
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
    const close = () => tellClosed(id, window);
    // When it is shown again, the query asks by itself.
    const hide = () => isHidden() && void refetch();
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
