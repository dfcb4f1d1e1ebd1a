import { Menu, SegmentedControl } from '@mantine/core';
import { IconChecklist, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { capitalise, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import {
  type AdminTask,
  cancelAdminTask,
  listAdminActions,
  listAdminImports,
  listAdminTasks,
  retryAdminTask,
  taskViews,
} from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { ImportsList } from './imports-list.tsx';
import { JobsCards } from './jobs-cards.tsx';
import { taskNote } from './words.ts';
import { workTable } from './work-table.tsx';

const pageSize = 20;
const refetchInterval = 5_000;

/** Long work, imports and background jobs of all workspaces. */
export function QueueTab() {
  const [{ view, page }, change] = useUrlState(adminSearch);
  const query = useQuery({
    ...queryOptionsFor(listAdminTasks, { query: { view, page, limit: pageSize } }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const labels = useViewLabels(query.data?.counts);
  return (
    <>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Which tasks and imports"
          data={taskViews.map((value) => ({ value, label: labels[value] }))}
          value={view}
          onChange={(next) =>
            change({ view: taskViews.find((one) => one === next) ?? 'open', page: 1, importsPage: 1 })
          }
        />
      </div>
      <div className={`${classes.list} ${classes.queue}`}>
        <DataTable
          label="Tasks"
          {...table}
          rows={query.data?.items}
          state={query}
          expectedRows={5}
          errorTitle="The tasks could not be loaded"
          empty={
            <EmptyState
              icon={IconChecklist}
              title={
                view === 'failed'
                  ? 'No task has failed'
                  : view === 'open'
                    ? 'No task waits or runs'
                    : 'No tasks'
              }
              description="Exports, cleans, verifications and other long work of every workspace show here. Ended work is kept for 30 days."
            />
          }
          rowMenu={(task) => <TaskMenu task={task} />}
        />
        <TableFooter
          page={page}
          pageSize={pageSize}
          total={query.data?.totalCount}
          onPage={(next) => change({ page: next })}
        />
      </div>
      <ImportsList />
      <JobsCards />
    </>
  );
}

/** The choices with how many tasks and imports are in each. */
function useViewLabels(tasks: ResponseOf<typeof listAdminTasks>['counts'] | undefined) {
  const { data: imports } = useQuery({
    ...queryOptionsFor(listAdminImports, { query: { limit: 1 } }),
    refetchInterval,
    select: ({ counts }) => counts,
  });
  const figure = (value: number) => (tasks && imports ? ` ${formatNumber(value)}` : '');
  const open = (tasks?.waiting ?? 0) + (tasks?.running ?? 0) + (imports?.open ?? 0);
  const failed = (tasks?.failed ?? 0) + (imports?.failed ?? 0);
  return { open: `Waiting and running${figure(open)}`, failed: `Failed${figure(failed)}`, all: 'All' };
}

const tones = { waiting: 'neutral', cancelled: 'neutral' } as const;

const table = workTable<AdminTask>({
  head: 'Task',
  titleOf: ({ title }) => title,
  startedBy: ({ startedBy }) => startedBy,
  badgeOf: ({ status }) =>
    status === 'waiting' || status === 'cancelled' ? (
      <StatusBadge status={status} tone={tones[status]} />
    ) : (
      <StatusBadge status={status} label={capitalise(status)} />
    ),
  noteOf: taskNote,
});

function TaskMenu({ task }: { task: AdminTask }) {
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
