import { Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeSmtpServer, listSmtpServers, type ShownServer, testSmtpServer } from '../contract.ts';
import classes from './servers.module.css';

export type Asked = { what: 'edit'; server: ShownServer | null } | { what: 'remove'; server: ShownServer };

interface Props {
  server: ShownServer;
  all: readonly ShownServer[];
  onAsk: (asked: Asked) => void;
}

const encryption = { starttls: 'STARTTLS', implicit: 'TLS', none: 'not encrypted' } as const;

export function ServerRow({ server, all, onAsk }: Props) {
  const { id, name, host, port, tls, username, isActive, lastTest, trouble } = server;
  const queryClient = useQueryClient();
  const told = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (failure) {
      toastFailed({ title: 'SMTP Server', message: words(failure) });
    }
    await queryClient.invalidateQueries({ queryKey: [listSmtpServers.path] });
  };
  const test = () =>
    told(async () => {
      const { ok, answer } = await call(testSmtpServer, { params: { id }, body: {} });
      if (ok) toastDone({ title: 'Server Answered', message: answer });
      else toastFailed({ title: 'Test Failed', message: answer });
    });
  const turn = () =>
    told(async () => {
      await call(changeSmtpServer, { params: { id }, body: { isActive: !isActive } });
      const message = isActive
        ? `Nothing leaves through ${name} any more.`
        : `Messages leave through ${name}.`;
      toastDone({ title: isActive ? 'Server Turned Off' : 'Server Turned On', message });
    });
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <div className={classes.head}>
          <span className={classes.name}>{name}</span>
          <Standing server={server} />
        </div>
        <div className={classes.dim}>
          {host}:{port}, {encryption[tls]}
          {username !== '' && `, as ${username}`}. {shareOf(server, all)} {limitOf(server)}
        </div>
        {trouble && (
          <div className={classes.dim}>
            {trouble.words} <DateText value={trouble.at} />
          </div>
        )}
        {lastTest && (
          <div className={classes.dim}>
            Tested <DateText value={lastTest.at} />: {lastTest.answer}
          </div>
        )}
      </div>
      <RowMenu label={name}>
        {() => (
          <>
            <Menu.Item onClick={() => void test()}>Test</Menu.Item>
            <Menu.Item onClick={() => onAsk({ what: 'edit', server })}>Edit</Menu.Item>
            <Menu.Item onClick={() => void turn()}>{isActive ? 'Turn off' : 'Turn on'}</Menu.Item>
            <Menu.Item data-danger onClick={() => onAsk({ what: 'remove', server })}>
              Remove
            </Menu.Item>
          </>
        )}
      </RowMenu>
    </li>
  );
}

function Standing({ server: { isActive, isFallback, lastTest, trouble } }: { server: ShownServer }) {
  if (!isActive) return <StatusBadge status="off" label="Off" tone="neutral" />;
  if (trouble) return <StatusBadge status="trouble" label="Passed over" tone="warning" />;
  if (lastTest && !lastTest.ok) return <StatusBadge status="failed" label="Test failed" tone="warning" />;
  if (isFallback) return <StatusBadge status="fallback" label="Fallback" tone="neutral" />;
  return <StatusBadge status="on" label="On" tone="success" />;
}

function shareOf({ isActive, isFallback, weight }: ShownServer, all: readonly ShownServer[]): string {
  if (!isActive) return '';
  if (isFallback) return 'Used while none of the others can be.';
  const sum = all
    .filter((one) => one.isActive && !one.isFallback)
    .reduce((total, one) => total + one.weight, 0);
  return `Takes ${formatNumber(Math.round((100 * weight) / sum))}% of messages.`;
}

function limitOf({ isActive, perHour, perMinute }: ShownServer): string {
  const limits = [
    ...(perHour === null ? [] : [`${formatNumber(perHour)} an hour`]),
    ...(perMinute === null ? [] : [`${formatNumber(perMinute)} a minute`]),
  ];
  return isActive && limits.length > 0 ? `At most ${limits.join(' and ')}.` : '';
}
