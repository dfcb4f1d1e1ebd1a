import { SegmentedControl } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListTable, type ListWords } from '#platform/web/components/list-page.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise, formatNumber } from '#platform/web/format.ts';
import { usePages } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminTask, listAdminImports, listAdminTasks, type TaskView, taskViews } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { ImportsList } from './imports-list.tsx';
import { JobsCards } from './jobs-cards.tsx';
import { TaskMenu } from './task-menu.tsx';
import { taskNote } from './words.ts';
import { workTable } from './work-table.tsx';

const pageSize = 20;
const refetchInterval = 5_000;

/** Long work, imports and background jobs of all workspaces. */
export function QueueTab() {
  const [{ view, page }, change] = useUrlState(adminSearch);
  const { data, ...list } = usePages(
    { ...queryOptionsFor(listAdminTasks, { query: { view, page, limit: pageSize } }), refetchInterval },
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  const labels = useViewLabels(data?.counts);
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
        <ListTable
          {...table}
          list={list}
          words={wordsFor(view)}
          expectedRows={5}
          rowMenu={(task) => <TaskMenu task={task} />}
        />
      </div>
      <ImportsList />
      <JobsCards />
    </>
  );
}

const nothing: Record<TaskView, string> = {
  failed: 'No task has failed',
  open: 'No task waits or runs',
  all: 'No tasks',
};

const wordsFor = (view: TaskView): ListWords => ({
  label: 'Tasks',
  errorTitle: 'The tasks could not be loaded',
  empty: {
    icon: IconChecklist,
    title: nothing[view],
    description:
      'Exports, cleans, verifications and other long work of every workspace show here. Ended work is kept for 30 days.',
  },
});

/** The choices, with the number of tasks and imports in each. */
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
