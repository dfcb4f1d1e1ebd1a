import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMay } from '#platform/web/current-user.ts';
import { onBegunElsewhere, openTasksQuery, watchTask } from './task-watch.ts';

/**
 * Work that a colleague has begun appears after so long; what another tab of this browser begins,
 * at once.
 */
const lookEveryMs = 15_000;

/**
 * Finds tasks that are under way, for example after the page was loaded again, and shows them in
 * the tray.
 */
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
