import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { DayRangeField } from '#platform/web/components/day-range-field.tsx';
import { FilterChips } from '#platform/web/components/filter-chips.tsx';
import { NamedIcon } from '#platform/web/components/named-icon.tsx';
import { Page, Toolbar } from '#platform/web/components/page.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatShortDate } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Activity, activityFilters, activityStatuses, listActivities } from '../contract.ts';
import classes from './activities-page.module.css';
import { activitiesSearch } from './activities-search.ts';

const pageSize = 50;

/** Everything that happened in the workspace, by whom and when; as much of it as is asked for. */
export default function ActivitiesPage() {
  const [filter, change] = useUrlState(activitiesSearch);
  const query = useInfiniteQuery({
    queryKey: [listActivities.path, 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      call(listActivities, {
        query: { ...filter, limit: pageSize, ...(pageParam ? { before: pageParam } : {}) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
    staleTime: 60_000,
  });
  const navigate = useNavigate();
  // A line that was updated while people read has moved to the top and may be met again.
  const lines = query.data && [...new Map(query.data.pages.flat().map((line) => [line.id, line])).values()];
  const filtered = Object.values(filter).some(Boolean);
  return (
    <Page title="Activities" purpose="What happened in this workspace, newest first.">
      <Filters filter={filter} onChange={change} />
      <Card flush>
        <DataTable
          label="Activities"
          place="group"
          columns={columns}
          rows={lines}
          rowKey={({ id }) => id}
          rowLabel={({ action, details }) => `${action}: ${details}`}
          state={query}
          expectedRows={10}
          loadingText="Loading activities..."
          errorTitle="The activities could not be loaded"
          onOpen={({ link }) => link && void navigate({ to: link })}
          empty={
            <EmptyState
              icon={IconActivity}
              title={filtered ? 'Nothing like this has happened' : 'No recent activities to display'}
              description={
                filtered
                  ? 'Take a filter away, or widen the days.'
                  : 'Imports, cleans and suppressions appear here when they end.'
              }
            />
          }
          phone={(line) => ({
            title: line.action,
            aside: formatShortDate(line.timestamp),
            second: (
              <>
                {line.status !== 'completed' && <StatusBadge status={line.status} />}
                <span>{line.details}</span>
              </>
            ),
          })}
        />
        {query.hasNextPage && (
          <div className={classes.more}>
            <Button
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Load more
            </Button>
          </div>
        )}
      </Card>
    </Page>
  );
}

type Filter = ReturnType<typeof useUrlState<typeof activitiesSearch>>[0];

function Filters({ filter, onChange }: { filter: Filter; onChange: (patch: Partial<Filter>) => void }) {
  const { data } = useQuery(queryOptionsFor(activityFilters));
  const options = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));
  const chosen = (value: string | undefined) => (value ? [value] : []);
  return (
    <Toolbar search={<DayRangeField label="Days" from={filter.from} to={filter.to} onChange={onChange} />}>
      <FilterChips
        single
        fields={[
          { key: 'action', label: 'Action', options: options(data?.actions) },
          { key: 'actor', label: 'Person', options: options(data?.actors) },
          {
            key: 'status',
            label: 'Status',
            options: activityStatuses.map((value) => ({ value, label: statusLabels[value] })),
          },
        ]}
        value={{
          action: chosen(filter.action),
          actor: chosen(filter.actor),
          status: chosen(filter.status),
        }}
        onChange={(key, [value]) => onChange({ [key]: value })}
      />
    </Toolbar>
  );
}

const statusLabels: Record<(typeof activityStatuses)[number], string> = {
  completed: 'Completed',
  failed: 'Failed',
  'in-progress': 'In-progress',
};

const columns: Column<Activity>[] = [
  {
    key: 'action',
    head: 'Action',
    width: 208,
    tone: 'strong',
    cell: ({ action, icon }) => (
      <span className={classes.action} title={action}>
        <NamedIcon name={icon} />
        <span>{action}</span>
      </span>
    ),
  },
  {
    key: 'details',
    head: 'Details',
    tone: 'dim',
    cell: ({ details }) => <span title={details}>{details}</span>,
  },
  {
    key: 'actor',
    head: 'Who',
    width: 224,
    tone: 'dim',
    cell: ({ actor }) => <AddressText address={actor ?? 'By itself'} />,
  },
  { key: 'status', head: 'Status', width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'date',
    head: 'Date',
    width: 104,
    numeric: true,
    tone: 'dim',
    cell: ({ timestamp }) => <DateText value={timestamp} />,
  },
];
