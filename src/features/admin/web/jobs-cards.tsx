import { Menu } from '@mantine/core';
import { IconClockPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  cancelJob,
  getJobs,
  listAdminActions,
  type NotedJob,
  type QueueState,
  retryJob,
} from '../contract.ts';
import { scheduleWords } from './words.ts';

/** The product's own recurring work, and the jobs that may need attention. */
export function JobsCards() {
  const query = useQuery({ ...queryOptionsFor(getJobs), refetchInterval: 5_000 });
  const jobs = query.data?.jobs;
  return (
    <>
      {jobs !== undefined && jobs.length > 0 && (
        <Card flush title="Background jobs at work or failed">
          <DataTable
            place="group"
            label="Background jobs at work or failed"
            columns={jobColumns}
            rows={jobs}
            rowKey={({ id }) => id}
            rowLabel={({ name }) => name}
            state={query}
            errorTitle="The jobs could not be loaded"
            empty={null}
            phone={(job) => ({
              title: job.name,
              aside: jobBadge(job),
              second: job.error ?? `Attempt ${job.attempts}`,
            })}
            rowMenu={(job) => <JobMenu job={job} />}
          />
        </Card>
      )}
      <Card flush title="Background jobs" hint="UK time">
        <DataTable
          place="group"
          label="Background jobs"
          columns={queueColumns}
          rows={query.data?.queues}
          rowKey={({ name }) => name}
          rowLabel={({ name }) => name}
          state={query}
          expectedRows={6}
          errorTitle="The jobs could not be loaded"
          empty={
            <EmptyState
              icon={IconClockPlay}
              title="No background jobs yet"
              description="They show once a process that works on them has started."
            />
          }
          phone={(queue) => ({
            title: queue.name,
            aside: queue.failed > 0 ? `${formatNumber(queue.failed)} failed` : '',
            second: scheduleWords(queue.schedule),
          })}
        />
      </Card>
    </>
  );
}

const count = (key: 'waiting' | 'running' | 'retrying' | 'failed', head: string): Column<QueueState> => ({
  key,
  head,
  cell: (queue) => formatNumber(queue[key]),
  width: 88,
  numeric: true,
  tone: 'dim',
});

const queueColumns: Column<QueueState>[] = [
  { key: 'name', head: 'Job', cell: ({ name }) => <span title={name}>{name}</span>, tone: 'strong' },
  { key: 'schedule', head: 'Runs', cell: ({ schedule }) => scheduleWords(schedule), width: '22%' },
  count('waiting', 'Waiting'),
  count('running', 'Running'),
  count('retrying', 'Retrying'),
  count('failed', 'Failed'),
  {
    key: 'last',
    head: 'Last done',
    cell: ({ lastCompletedAt }) => (lastCompletedAt ? <DateText value={lastCompletedAt} /> : '–'),
    width: 100,
    numeric: true,
    tone: 'dim',
  },
];

const jobBadge = ({ state }: NotedJob) => (
  <StatusBadge
    status={state}
    tone={state === 'failed' ? 'error' : state === 'retrying' ? 'warning' : 'primary'}
  />
);

const jobColumns: Column<NotedJob>[] = [
  {
    key: 'name',
    head: 'Job',
    cell: ({ name }) => <span title={name}>{name}</span>,
    width: '24%',
    tone: 'strong',
  },
  { key: 'state', head: 'Status', cell: jobBadge, width: 120 },
  {
    key: 'attempts',
    head: 'Attempts',
    cell: ({ attempts }) => formatNumber(attempts),
    width: 88,
    numeric: true,
  },
  {
    key: 'error',
    head: 'Last failure',
    cell: ({ error }) => <span title={error ?? undefined}>{error ?? ''}</span>,
    tone: 'dim',
  },
  {
    key: 'createdAt',
    head: 'Begun',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
    width: 84,
    numeric: true,
    tone: 'dim',
  },
];

function JobMenu({ job: { name, id, state } }: { job: NotedJob }) {
  const queryClient = useQueryClient();
  const again = state === 'failed';
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const params = { name, id };
      await (again ? call(retryJob, { params }) : call(cancelJob, { params }));
    },
    onSuccess: () => {
      toastDone({ title: again ? 'Job Retried' : 'Job Cancelled', message: name });
      for (const { path } of [getJobs, listAdminActions])
        void queryClient.invalidateQueries({ queryKey: [path] });
    },
    onError: (error) => toastFailed({ title: 'Error', message: words(error) }),
  });
  const JobIcon = again ? IconRefresh : IconPlayerStop;
  return (
    <Menu.Item
      {...(again ? {} : { 'data-danger': true })}
      disabled={isPending}
      leftSection={<JobIcon size={16} stroke={1.6} />}
      onClick={() => mutate()}
    >
      {again ? 'Try again' : 'Cancel job'}
    </Menu.Item>
  );
}
