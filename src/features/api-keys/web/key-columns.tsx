import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { ApiKey } from '../contract.ts';

export const keyColumns: Column<ApiKey>[] = [
  { key: 'name', head: 'Name', tone: 'strong', cell: ({ name }) => name },
  { key: 'prefix', head: 'Key', width: 190, cell: ({ prefix }) => <Mono>{prefix}…</Mono> },
  { key: 'scopes', head: 'Scopes', tone: 'dim', cell: ({ scopes }) => scopes.join(', ') },
  { key: 'by', head: 'Made by', width: 140, tone: 'dim', cell: ({ createdBy }) => createdBy },
  {
    key: 'used',
    head: 'Last used',
    width: 100,
    numeric: true,
    tone: 'dim',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <DateText value={lastUsedAt} />),
  },
  { key: 'ends', head: 'Runs out', width: 130, numeric: true, tone: 'dim', cell: RunsOut },
];

export const keyOnPhone = (key: ApiKey): PhoneRow => ({
  title: key.name,
  aside: <RunsOut {...key} />,
  second: <Mono>{key.prefix}…</Mono>,
});

function RunsOut({ expiresAt, expired }: ApiKey) {
  if (expired) return <StatusBadge status="expired" tone="error" />;
  return expiresAt === null ? 'Never' : <DateText value={expiresAt} />;
}
