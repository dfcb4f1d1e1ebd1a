import { Menu } from '@mantine/core';
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  type AdminTask,
  cancelAdminTask,
  listAdminActions,
  listAdminTasks,
  retryAdminTask,
} from '../contract.ts';

/** What can be done about one task. */
export function TaskMenu({ task }: { task: AdminTask }) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (kind: 'cancel' | 'retry') => {
      const params = { workspaceId: task.workspace.id, id: task.id };
      await (kind === 'cancel' ? call(cancelAdminTask, { params }) : call(retryAdminTask, { params }));
      return kind;
    },
    onSuccess: (kind) => {
      toastDone(
        kind === 'cancel'
          ? { title: 'Task Cancelled', message: `“${task.title}” stops. What it has done stays.` }
          : { title: 'Task Started Again', message: `“${task.title}” waits to be run.` },
      );
      for (const { path } of [listAdminTasks, listAdminActions])
        void queryClient.invalidateQueries({ queryKey: [path] });
    },
    onError: (error) => toastFailed({ title: 'Error', message: words(error) }),
  });
  const open = task.status === 'waiting' || task.status === 'running';
  if (!open && task.status !== 'failed') return <Menu.Label>It has ended</Menu.Label>;
  return open ? (
    <Menu.Item
      data-danger
      disabled={isPending || task.cancelRequested}
      leftSection={<IconPlayerStop size={16} stroke={1.6} />}
      onClick={() => mutate('cancel')}
    >
      Cancel task
    </Menu.Item>
  ) : (
    <Menu.Item
      disabled={isPending}
      leftSection={<IconRefresh size={16} stroke={1.6} />}
      onClick={() => mutate('retry')}
    >
      Start again
    </Menu.Item>
  );
}
