import {
  IconCalendar,
  IconDatabase,
  IconDeviceLaptop,
  IconMailCheck,
  IconSend,
  IconShieldCheck,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { Columns } from '#platform/web/components/page.tsx';
import { type Stat, StatStrip } from '#platform/web/components/stat-strip.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { formatBytes, formatCompact, formatNumber } from '#platform/web/format.ts';
import { getAdminStats, listNewestUsers } from '../contract.ts';
import { PerformanceCard } from './performance-card.tsx';
import { SubscriptionsCard } from './subscriptions-card.tsx';
import { userOnPhone, useUserColumns } from './user-columns.tsx';

export function Overview() {
  return (
    <>
      <Figures />
      <Columns columns="minmax(0, 1fr) minmax(0, 1fr)">
        <SubscriptionsCard />
        <PerformanceCard />
      </Columns>
      <NewestUsers />
    </>
  );
}

function Figures() {
  const query = useQuery({ ...queryOptionsFor(getAdminStats), refetchInterval: 60_000 });
  const stats = query.data;
  if (query.error && !stats) return <StatStrip label="Figures" stats={[]} error={query.error} />;
  const number = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));
  const note = (text: string) => ({ text: '', since: text, direction: 'flat' as const });
  const people: Stat[] = [
    { label: 'Total users', icon: IconUsers, tone: 'primary', value: number(stats?.totalUsers) },
    {
      label: 'New this month',
      icon: IconUserPlus,
      tone: 'success',
      value: number(stats?.newUsersThisMonth),
    },
    {
      label: 'Active sessions',
      icon: IconDeviceLaptop,
      tone: 'accent',
      value: number(stats?.activeSessions),
    },
    {
      label: 'Storage used',
      icon: IconDatabase,
      tone: 'neutral',
      value: stats && formatBytes(stats.storageUsed),
      ...(stats && { change: note(`of which files ${formatBytes(stats.storage.files)}`) }),
    },
  ];
  const work: Stat[] = [
    {
      label: 'Emails processed',
      icon: IconMailCheck,
      tone: 'primary',
      value: stats && formatCompact(stats.emailsProcessed),
      ...(stats && { change: note('rows imported, contacts verified') }),
    },
    {
      label: 'Emails this month',
      icon: IconCalendar,
      tone: 'success',
      value: stats && formatCompact(stats.emailsThisMonth),
    },
    {
      label: 'Verification runs today',
      icon: IconShieldCheck,
      tone: 'accent',
      value: number(stats?.aiJobsToday),
    },
    { label: 'Campaigns today', icon: IconSend, tone: 'neutral', value: number(stats?.campaignsToday) },
  ];
  return (
    <>
      <StatStrip plain label="People and storage" stats={people} />
      <StatStrip plain label="Work" stats={work} />
    </>
  );
}

function NewestUsers() {
  const query = useQuery(queryOptionsFor(listNewestUsers));
  const columns = useUserColumns();
  return (
    <Card
      flush
      title="Newest users"
      action={
        <TextLink to="/admin" search={{ tab: 'users' }}>
          View all
        </TextLink>
      }
    >
      <DataTable
        place="group"
        label="Newest users"
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        state={query}
        expectedRows={10}
        errorTitle="The users could not be loaded"
        empty={<EmptyState icon={IconUsers} title="No users yet" description="Nobody has signed up." />}
        phone={userOnPhone}
      />
    </Card>
  );
}
