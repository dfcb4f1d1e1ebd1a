import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMay } from '#platform/web/current-user.ts';
import { onBegunElsewhere, openTasksQuery, watchTask } from './task-watch.ts';

/**
 * A colleague's work appears within this time. Work from another tab of this browser appears at
 * once.
 */
const lookEveryMs = 15_000;

/** Finds running tasks, for example after a page reload, and shows them in the tray. */
export default function RunningTasks() {
  const queryClient = useQueryClient();
  const mayCancel = useMay('editor');
  const { data, refetch } = useQuery({ ...openTasksQuery, staleTime: 0, refetchInterval: lookEveryMs });
  useEffect(() => {
    for (const task of data?.items ?? []) watchTask(queryClient, task, { mayCancel });
  }, [data, queryClient, mayCancel]);
  useEffect(() => onBegunElsewhere(() => void refetch()), [refetch]);
  return null;
}
