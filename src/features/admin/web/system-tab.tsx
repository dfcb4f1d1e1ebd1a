import { Skeleton } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { Columns } from '#platform/web/components/page.tsx';
import { EmptyState, ErrorState, Note } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { formatBytes, formatNumber, formatShare, formatShortDate, formatWhen } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type AdminAction, getSystemHealth, listAdminActions, type SystemHealth } from '../contract.ts';
import classes from './admin.module.css';
import { adminSearch } from './admin-search.ts';
import { actionWords } from './words.ts';

/** How the installation is doing, and what the administrator has done to it. */
export function SystemTab() {
  const query = useQuery({ ...queryOptionsFor(getSystemHealth), refetchInterval: 15_000 });
  const health = query.data;
  if (query.error && !health) {
    return (
      <>
        <Card title="Health">
          <ErrorState
            title="The system’s health could not be read"
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        </Card>
        <Actions />
      </>
    );
  }
  return (
    <>
      {health && <Warnings health={health} />}
      <Columns columns="minmax(0, 1fr) minmax(0, 1fr)">
        <Card title="Health">
          {health ? <Facts facts={healthFacts(health)} /> : <Skeleton height={200} />}
        </Card>
        <Card title="Processes and settings">
          {health ? <ProcessesAndSettings health={health} /> : <Skeleton height={200} />}
        </Card>
      </Columns>
      <Actions />
    </>
  );
}

/** A smaller free share of the disk than this is low. */
const lowDisk = 0.1;

function Warnings({ health: { disk, database, sending, unusedSettings } }: { health: SystemHealth }) {
  const unused = unusedSettings.filter(({ isSet }) => isSet).map(({ name }) => name);
  return (
    <>
      {sending === 'off' && (
        <Note title="No mail leaves: SENDING is off">
          Campaigns, single messages and the product’s own mail wait. Cancel or pause what must not go out
          again, then start the product without SENDING=off.
        </Note>
      )}
      {disk.free < disk.total * lowDisk && (
        <Note title={`Only ${formatBytes(disk.free)} free where DATA_DIR is`}>
          When the disk is full, people can only read. Free some space or move DATA_DIR.
        </Note>
      )}
      {database.connections > database.connectionLimit * 0.9 && (
        <Note title="The database is nearly out of connections">
          {formatNumber(database.connections)} of {formatNumber(database.connectionLimit)} are in use.
        </Note>
      )}
      {unused.length > 0 && (
        <Note title={`${unused.join(', ')}: set, but not used yet`}>
          This version checks these settings and does nothing with them.
        </Note>
      )}
    </>
  );
}

function healthFacts(health: SystemHealth): [string, ReactNode][] {
  const { database, disk, memory } = health;
  return [
    ['Database', `PostgreSQL ${database.version}${database.embedded ? ', embedded' : ''}`],
    ['Answered in', `${formatNumber(Math.max(1, Math.round(database.answeredInMs)))} ms`],
    ['Database size', formatBytes(database.bytes)],
    ['Connections', `${formatNumber(database.connections)} of ${formatNumber(database.connectionLimit)}`],
    ['Migration', <Mono key="migration">{database.migration}</Mono>],
    [
      'Disk free',
      `${formatBytes(disk.free)} of ${formatBytes(disk.total)} (${formatShare(disk.free, disk.total)})`,
    ],
    ['DATA_DIR', <Mono key="path">{disk.path}</Mono>],
    ['Memory', `${formatBytes(memory.used)} in this process, of ${formatBytes(memory.total)}`],
    ['Version', `${health.version}, Node ${health.node}`],
    ['Started', formatWhen(health.startedAt)],
  ];
}

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

function ProcessesAndSettings({ health }: { health: SystemHealth }) {
  return (
    <>
      <ul className={classes.lines}>
        {health.processes.length === 0 && <li className={classes.dim}>No process has reported yet.</li>}
        {health.processes.map(({ process, host, role, upSince, isThis }) => (
          <li key={process}>
            <span>
              {host}, role <Mono>{role}</Mono>
              {isThis && <span className={classes.dim}> (this one)</span>}
            </span>
            <span className={classes.dim}>up since {formatShortDate(upSince)}</span>
          </li>
        ))}
      </ul>
      <h3 className={classes.subtitle}>In use</h3>
      <Facts
        facts={[
          ['Sign-ups', health.signups === 'open' ? 'Open to everybody' : 'By invitation'],
          ['Mail', health.mailServer ? 'Leaves through SMTP_URL' : 'No mail server: it stays in the outbox'],
        ]}
      />
      <h3 className={classes.subtitle}>Checked at the start, but not used yet</h3>
      <ul className={classes.lines}>
        {health.unusedSettings.map(({ name, isSet }) => (
          <li key={name}>
            <Mono>{name}</Mono>
            {isSet ? <WordBadge tone="warning">Set</WordBadge> : <span className={classes.dim}>not set</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

const pageSize = 20;

const actionColumns: Column<AdminAction>[] = [
  { key: 'what', head: 'What', cell: (action) => <What action={action} />, tone: 'strong' },
  { key: 'actor', head: 'By', cell: ({ actor }) => <span title={actor}>{actor}</span>, width: '26%' },
  {
    key: 'when',
    head: 'When',
    cell: ({ createdAt }) => <DateText value={createdAt} />,
    width: 100,
    numeric: true,
    tone: 'dim',
  },
];

function What({ action }: { action: AdminAction }) {
  const { reason } = action.details;
  const text = actionWords(action);
  return <span title={text}>{typeof reason === 'string' ? `${text}: ${reason}` : text}</span>;
}

function Actions() {
  const [{ page }, change] = useUrlState(adminSearch);
  const query = useQuery({
    ...queryOptionsFor(listAdminActions, { query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={classes.list}>
      <Card flush title="What the administrator did" hint="Kept for good">
        <DataTable
          place="group"
          label="What the administrator did"
          columns={actionColumns}
          rows={query.data?.items}
          rowKey={({ id }) => id}
          rowLabel={actionWords}
          state={query}
          expectedRows={3}
          errorTitle="The record could not be loaded"
          empty={
            <EmptyState
              icon={IconHistory}
              title="Nothing done yet"
              description="Suspensions, sign-outs, and tasks and jobs that were cancelled or started again are kept here."
            />
          }
          phone={(action) => ({
            title: actionWords(action),
            aside: formatShortDate(action.createdAt),
            second: action.actor,
          })}
        />
      </Card>
      {(query.data?.totalCount ?? 0) > pageSize && (
        <TableFooter
          page={page}
          pageSize={pageSize}
          total={query.data?.totalCount}
          onPage={(next) => change({ page: next })}
        />
      )}
    </div>
  );
}
