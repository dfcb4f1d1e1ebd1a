import { IconBell } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { listNotifications, readNotifications } from '#features/activities/contract.ts';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { TextLink } from '#platform/web/components/links.tsx';
import { NamedIcon } from '#platform/web/components/named-icon.tsx';
import { EmptyState, ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatFullDate, formatShortDate } from '#platform/web/format.ts';
import classes from './header.module.css';
import { useInvitations, WaitingInvitations } from './waiting-invitations.tsx';

/** Fetched again every minute: a colleague's import may end while nobody clicks anything here. */
const notifications = {
  ...queryOptionsFor(listNotifications),
  staleTime: 60_000,
  refetchInterval: 60_000,
};

/** How many notifications and invitations this person has not seen. */
export function useUnread(): number {
  const invitations = useInvitations();
  return (useQuery(notifications).data?.unread ?? 0) + invitations.unread;
}

/**
 * What ended, failed or needs somebody. Showing the list marks it as seen. New entries stay marked
 * until it is closed.
 */
export function NotificationList({ titled = true }: { titled?: boolean }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(notifications);
  const { mutate: markSeen } = useMutation({
    mutationFn: (until: string) => call(readNotifications, { body: { until } }),
    onSuccess: ({ unread }) => {
      queryClient.setQueryData(notifications.queryKey, (before) => before && { ...before, unread });
      // Something has come since this list was read. It is seen once it is shown.
      if (unread > 0) void queryClient.invalidateQueries({ queryKey: notifications.queryKey });
    },
  });
  const unread = data?.unread ?? 0;
  const newest = data?.items[0]?.timestamp;
  const invitations = useInvitations();
  useEffect(() => {
    if (unread > 0 && newest !== undefined) markSeen(newest);
  }, [unread, newest, markSeen]);
  return (
    <>
      {titled && <h2 className={classes.popHead}>Notifications</h2>}
      <WaitingInvitations />
      {error && !data ? (
        <ErrorState
          title="The notifications could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data?.items.length === 0 && invitations.any ? null : data?.items.length === 0 ? (
        <EmptyState
          icon={IconBell}
          title="No notifications"
          description="Imports, cleans and other long work appear here when they end."
        />
      ) : (
        <ul className={classes.activities}>
          {data?.items.map((item) => (
            <li key={item.id} className={classes.activity} data-new={item.isNew || undefined}>
              <NamedIcon name={item.icon} />
              <span className={classes.action}>
                {item.link ? (
                  <Link to={item.link} className={classes.notice}>
                    {item.action}
                  </Link>
                ) : (
                  item.action
                )}
                {item.isNew && <span className={classes.newDot} role="img" aria-label="New" />}
              </span>
              <time className={classes.when} dateTime={item.timestamp} title={formatFullDate(item.timestamp)}>
                {formatShortDate(item.timestamp)}
              </time>
              <span className={classes.details}>{item.details}</span>
              {item.status !== 'completed' && (
                <span className={classes.state}>
                  <StatusBadge status={item.status} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.popFoot}>
        <TextLink to="/activities">All activities</TextLink>
      </div>
    </>
  );
}
