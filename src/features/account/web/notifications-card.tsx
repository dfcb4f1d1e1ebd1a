import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  changeNotificationChoices,
  getNotificationChoices,
  listNotifications,
  type NotificationChoices,
} from '#features/activities/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { readAgain, showNewer } from '#platform/web/query-client.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { accountTopic } from './account-topic.ts';
import classes from './notifications-card.module.css';

const choices: { key: keyof NotificationChoices; label: string; description: string }[] = [
  { key: 'finished', label: 'Finished work', description: 'Imports, cleans, exports and verifications.' },
  { key: 'failed', label: 'Failures', description: 'Work that could not be done, with the reason.' },
  { key: 'invitations', label: 'Invitations', description: 'To other workspaces.' },
];

const options = queryOptionsFor(getNotificationChoices);

/** What counts as new under the bell, for this person in all their workspaces. */
export function NotificationsCard() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(options);
  const { mutate } = useMutation({
    mutationFn: (change: Partial<NotificationChoices>) => call(changeNotificationChoices, { body: change }),
    onMutate: (change) =>
      showNewer(queryClient, options.queryKey, (before) => before && { ...before, ...change }),
    onSuccess: (kept) => queryClient.setQueryData(options.queryKey, kept),
    onError: (failure) =>
      toastFailed({
        title: 'Error',
        message: words(failure, 'Failed to keep your choice. Please try again.'),
      }),
    onSettled: () => {
      for (const { path } of [getNotificationChoices, listNotifications])
        void queryClient.invalidateQueries({ queryKey: [path] });
      void readAgain(queryClient, accountTopic);
    },
  });
  return (
    <Card title="Notifications" hint="In all your workspaces">
      {error && !data ? (
        <ErrorState title="Your choices could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.choices}>
          <p className={classes.choicesHead}>
            What counts as new under the bell. What is switched off still stands there, quietly.
          </p>
          {choices.map(({ key, label, description }) => (
            <Switch
              key={key}
              label={label}
              description={description}
              classNames={{ description: classes.choiceHint }}
              checked={data?.[key] ?? true}
              disabled={!data}
              onChange={(event) => mutate({ [key]: event.currentTarget.checked })}
            />
          ))}
        </div>
      )}
    </Card>
  );
}
