import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, call, queryOptionsFor } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import type { LatestVersion } from '../../contract/presence.ts';
import { getTemplate, restoreTemplate, type Template } from '../../contract.ts';
import { refreshTemplates, tellFailed } from '../template-actions.ts';
import type { usePresence } from './presence/use-presence.ts';
import type { Editing } from './use-editing.ts';

export interface Newer {
  /** Who saved a newer version than the one that is written on, and when. */
  latest: LatestVersion | null;
  isDeleted: boolean;
  take: () => Promise<void>;
  bringBack: () => Promise<void>;
}

/** Notices that somebody else has saved or deleted the template that is being written. */
export function useNewer(
  { saver, stored, phase, isOvertaken }: Editing,
  { data: presence, error, refetch }: ReturnType<typeof usePresence>,
): Newer {
  const queryClient = useQueryClient();
  const id = stored?.id ?? 0;
  const data = presence?.latest;
  const isNewer = data !== undefined && phase === 'resting' && saver.isOlderThan(data.version);
  useEffect(() => {
    if (isNewer) saver.overtake();
  }, [isNewer, saver]);
  // The server has refused a save. It has not said who was first.
  useEffect(() => {
    if (isOvertaken) void refetch();
  }, [isOvertaken, refetch]);
  const go = async (theirs: Template) => {
    saver.take(theirs);
    showNewer(queryClient, queryOptionsFor(getTemplate, { params: { id } }).queryKey, theirs);
    await refetch();
  };
  return {
    latest: isOvertaken && isNewer ? data : null,
    isDeleted: error instanceof ApiError && error.status === 404,
    take: async () => {
      try {
        await go(await call(getTemplate, { params: { id } }));
      } catch (failure) {
        tellFailed(failure, 'The newer version could not be loaded.');
      }
    },
    bringBack: async () => {
      try {
        await call(restoreTemplate, { params: { id } });
        await refetch();
        await refreshTemplates(queryClient);
        await saver.save('needed');
      } catch (failure) {
        tellFailed(failure, 'Failed to restore template');
      }
    },
  };
}
