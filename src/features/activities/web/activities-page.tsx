import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { useOlder } from '#platform/web/list.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { activityFilters, activityStatuses, listActivities } from '../contract.ts';
import { activitiesSearch } from './activities-search.ts';
import { activityColumns, activityOnPhone } from './activity-columns.tsx';

const pageSize = 50;

const words: ListWords = {
  label: 'Activities',
  errorTitle: 'The activities could not be loaded',
  older: 'Load more',
  empty: {
    icon: IconActivity,
    title: 'No recent activities to display',
    description: 'Imports, cleans and suppressions appear here when they end.',
  },
  nothingFound: {
    title: 'Nothing like this has happened',
    description: 'Take a filter away, or widen the days.',
  },
};

const statusLabels: Record<(typeof activityStatuses)[number], string> = {
  completed: 'Completed',
  failed: 'Failed',
  'in-progress': 'In-progress',
};

const options = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));

/** Everything that happened in the workspace, by whom and when, narrowed by the filters. */
export default function ActivitiesPage() {
  const [state, change] = useUrlState(activitiesSearch);
  const { data: known } = useQuery(queryOptionsFor(activityFilters));
  const list = useOlder(listActivities, {
    query: { ...state, limit: pageSize },
    rowsOf: (lines) => lines,
    after: (lines) => (lines.length < pageSize ? undefined : { before: lines.at(-1)?.id }),
    staleTime: 60_000,
  });
  const navigate = useNavigate();
  return (
    <ListPage
      title="Activities"
      purpose="What happened in this workspace, newest first."
      filters={{
        state,
        change,
        days: {},
        fields: [
          { key: 'action', label: 'Action', options: options(known?.actions) },
          { key: 'actor', label: 'Person', options: options(known?.actors) },
          {
            key: 'status',
            label: 'Status',
            options: activityStatuses.map((value) => ({ value, label: statusLabels[value] })),
          },
        ],
      }}
      card={{}}
      list={list}
      words={words}
      columns={activityColumns}
      phone={activityOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ action, details }) => `${action}: ${details}`}
      expectedRows={10}
      loadingText="Loading activities..."
      onOpen={({ link }) => link && void navigate({ to: link })}
    />
  );
}
