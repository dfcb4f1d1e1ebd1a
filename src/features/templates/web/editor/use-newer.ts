import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { ApiError, call, queryOptionsFor } from '#platform/web/api.ts';
import { getTemplate, latestTemplateVersion, restoreTemplate, type Template } from '../../contract.ts';
import { refreshTemplates, tellFailed } from '../template-actions.ts';
import type { Editing } from './use-editing.ts';

type Latest = ResponseOf<typeof latestTemplateVersion>;

/** How often the page looks whether somebody else has saved, while it is visible. */
const every = 15_000;

export interface Newer {
  /** Who saved a newer version than the one that is written on, and when. */
  latest: Latest | null;
  isDeleted: boolean;
  take: () => Promise<void>;
  bringBack: () => Promise<void>;
}

/** Notices that somebody else has saved or deleted the template that is being written. */
export function useNewer({ saver, template, phase, isOvertaken }: Editing): Newer {
  const queryClient = useQueryClient();
  const id = template?.id ?? 0;
  const options = queryOptionsFor(latestTemplateVersion, { params: { id } });
  const { data, error, refetch } = useQuery({
    ...options,
    enabled: template !== null,
    staleTime: 0,
    refetchInterval: every,
    refetchOnWindowFocus: 'always',
  });
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
    queryClient.setQueryData(queryOptionsFor(getTemplate, { params: { id } }).queryKey, theirs);
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
        await saver.save('auto');
      } catch (failure) {
        tellFailed(failure, 'Failed to restore template');
      }
    },
  };
}
