import { Button, Skeleton } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { About } from '#platform/web/components/fact.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import type { Icon } from '#platform/web/feature.ts';
import { formatCount, formatFullDate, formatWhen } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { endOtherSessions, endSession, listSessions, type Session } from '../contract.ts';
import classes from './account-page.module.css';

const icons: Record<Session['kind'], Icon> = {
  desktop: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
};

/** Where the person is signed in, with a way to end each session. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(queryOptionsFor(listSessions));
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listSessions.path] });
  const [asking, setAsking] = useState(false);
  const ending = useSending();
  const others = data ? data.length - 1 : 0;
  const end = ({ id, device }: Session) =>
    ending.send(async () => {
      await call(endSession, { params: { id } }).finally(refresh);
      toastDone({ title: 'Session Ended', message: `${device} is signed out.` });
    });
  return (
    <Card
      flush
      title="Sessions"
      hint="Where you are signed in"
      action={
        others > 0 && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {ending.error !== null && <Note tone="error">{ending.error}</Note>}
      {error && (
        <ErrorState title="The sessions could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      <ul className={classes.sessions}>
        {!data && !error && (
          <li className={classes.session}>
            <Skeleton height={14} width="40%" />
          </li>
        )}
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
        ))}
      </ul>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere else"
        confirmLabel={`End ${formatCount(others, 'session')}`}
        onConfirm={async () => {
          const { ended } = await call(endOtherSessions);
          await refresh();
          toastDone({ title: 'Signed Out Elsewhere', message: `${formatCount(ended, 'session')} ended.` });
        }}
      >
        <p>
          Every session but this one ends at once, and devices that were not asked for a second factor are
          asked again.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => Promise<unknown> }) {
  const { kind, device, address, createdAt, lastSeenAt, current } = session;
  const KindIcon = icons[kind];
  return (
    <li className={classes.session}>
      <KindIcon size={20} stroke={1.5} />
      <span className={classes.device}>
        {device} {current && <WordBadge>This one</WordBadge>}
        <About>
          {address !== null && `${address}, `}
          <span title={formatFullDate(lastSeenAt)}>last seen {formatWhen(lastSeenAt)}</span>, signed in{' '}
          <span title={formatFullDate(createdAt)}>{formatWhen(createdAt)}</span>
        </About>
      </span>
      {!current && (
        <AsyncButton size="xs" variant="default" onClick={onEnd}>
          Sign out
        </AsyncButton>
      )}
    </li>
  );
}
