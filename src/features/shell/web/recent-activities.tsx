import { useLocalStorage } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listActivities } from '#features/activities/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { NamedIcon } from '#platform/web/components/named-icon.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatFullDate, formatShortDate } from '#platform/web/format.ts';
import classes from './header.module.css';

const recent = { ...queryOptionsFor(listActivities, { query: { limit: 20 } }), staleTime: 60_000 };

/** The number of the newest activity seen on this device. */
const useSeen = () =>
  useLocalStorage<number>({ key: 'activities-seen', defaultValue: 0, getInitialValueInEffect: false });

/** Whether something has happened since the list was last open. */
export function useUnread(): boolean {
  const { data } = useQuery(recent);
  const [seen] = useSeen();
  return (data?.[0]?.id ?? 0) > seen;
}

/** What happened lately. Being on screen marks it as seen. */
export function RecentActivities({ titled = true }: { titled?: boolean }) {
  const { data, error, refetch } = useQuery(recent);
  const [seen, setSeen] = useSeen();
  const newest = data?.[0]?.id ?? 0;
  useEffect(() => {
    if (newest > seen) setSeen(newest);
  }, [newest, seen, setSeen]);
  return (
    <>
      {titled && <h2 className={classes.popHead}>Recent Activity</h2>}
      {error && !data ? (
        <ErrorState title="The activities could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <EmptyState
          icon={IconBell}
          title="Nothing has happened yet"
          description="Imports, cleans and exports appear here when they end."
        />
      ) : (
        <ul className={classes.activities}>
          {data?.map(({ id, action, details, status, timestamp, icon }) => (
            <li key={id} className={classes.activity}>
              <NamedIcon name={icon} />
              <span className={classes.action}>{action}</span>
              <time className={classes.when} dateTime={timestamp} title={formatFullDate(timestamp)}>
                {formatShortDate(timestamp)}
              </time>
              <span className={classes.details}>{details}</span>
              {status !== 'completed' && (
                <span className={classes.state}>
                  <StatusBadge status={status} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
