import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Activity } from '#features/activities/contract.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column, TableState } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { NamedIcon } from '#platform/web/components/named-icon.tsx';
import { EmptyState, failureWords } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useShownFailure } from '#platform/web/failed-calls.ts';
import { recentActivitiesOptions } from './api.ts';
import classes from './dashboard.module.css';
import { dateWidth } from './date-width.ts';

/** A line of the table: an activity, or a placeholder while the server does not answer. */
type Line = Pick<Activity, 'id' | 'action' | 'details' | 'status' | 'icon'> & {
  statusLabel?: string;
  /** ISO date and time. */
  timestamp?: string;
};

/** The specification's row for when there is nothing to show and nothing is loading. */
const placeholder: Line = {
  id: 0,
  action: 'CSV Import',
  details: 'Connecting to server...',
  status: 'in-progress',
  statusLabel: 'In Progress',
  icon: 'file-import',
};

function When({ timestamp }: Line) {
  return timestamp === undefined ? 'Just now' : <DateText value={timestamp} />;
}

const statusOf = ({ status, statusLabel }: Line) => (
  <StatusBadge status={status} {...(statusLabel === undefined ? {} : { label: statusLabel })} />
);

const columnsFor = (dateWidth: number): readonly Column<Line>[] => [
  {
    key: 'action',
    head: 'Action',
    cell: ({ action, icon }) => (
      <span className={classes.actionCell} title={action}>
        <NamedIcon name={icon} />
        <span>{action}</span>
      </span>
    ),
    width: 192,
    skeleton: 110,
  },
  {
    key: 'details',
    head: 'Details',
    cell: ({ details }) => <span title={details}>{details}</span>,
    tone: 'dim',
  },
  { key: 'status', head: 'Status', cell: statusOf, width: 112, skeleton: 64 },
  {
    key: 'date',
    head: 'Date',
    cell: (line) => <When {...line} />,
    width: dateWidth,
    numeric: true,
    tone: 'dim',
  },
];

interface ActivityTableProps {
  label: string;
  lines: readonly Line[] | undefined;
  state: TableState;
  expectedRows: number;
}

function ActivityTable({ label, lines, state, expectedRows }: ActivityTableProps) {
  const failed = lines === undefined && !state.isPending;
  return (
    <DataTable
      label={label}
      place="group"
      columns={columnsFor(dateWidth(lines?.map(({ timestamp }) => timestamp) ?? []))}
      rows={failed ? [placeholder] : lines}
      rowKey={({ id }) => id}
      rowLabel={({ action, details }) => `${action}: ${details}`}
      state={state}
      expectedRows={expectedRows}
      loadingText="Loading activities..."
      errorTitle="The activities could not be loaded"
      empty={
        <EmptyState
          icon={IconActivity}
          title="No recent activities to display"
          description="Imports, cleans and suppressions appear here when they end."
        />
      }
      phone={(line) => ({
        title: line.action,
        aside: <When {...line} />,
        second: (
          <>
            {line.status !== 'completed' && statusOf(line)}
            <span className={classes.phoneDetails}>{line.details}</span>
          </>
        ),
      })}
    />
  );
}

const shown = 5;

/** Recent activities in the workspace. */
export function RecentActivity() {
  const query = useQuery(recentActivitiesOptions);
  const failed = query.error !== null && query.data === undefined;
  useShownFailure(query.error);
  return (
    <Card
      flush
      title="Recent Activity"
      {...(failed ? { hint: `Could not be loaded. ${failureWords(query.error)}` } : {})}
      action={
        failed ? (
          <TextButton onClick={() => void query.refetch()}>Try again</TextButton>
        ) : (
          (query.data?.length ?? 0) > 0 && <TextLink to="/activities">View all</TextLink>
        )
      }
    >
      <ActivityTable
        label="Recent activity"
        lines={query.data?.slice(0, shown)}
        state={query}
        expectedRows={shown}
      />
    </Card>
  );
}
