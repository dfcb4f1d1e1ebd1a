import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { ApiKey } from '../contract.ts';

export const keyColumns: Column<ApiKey>[] = [
  { key: 'name', head: 'Name', tone: 'strong', cell: ({ name }) => name },
  { key: 'prefix', head: 'Key', width: 150, cell: ({ prefix }) => <Mono>{prefix}…</Mono> },
  { key: 'scopes', head: 'Scopes', tone: 'dim', cell: ({ scopes }) => scopes.join(', ') },
  { key: 'by', head: 'Made by', width: 130, tone: 'dim', cell: ({ createdBy }) => createdBy },
  { key: 'holder', head: 'Acts for', width: 190, tone: 'dim', cell: ActsFor },
  {
    key: 'used',
    head: 'Last used',
    width: 100,
    numeric: true,
    tone: 'dim',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <DateText value={lastUsedAt} />),
  },
  { key: 'ends', head: 'Runs out', width: 110, numeric: true, tone: 'dim', cell: RunsOut },
];

export const keyOnPhone = (key: ApiKey): PhoneRow => ({
  title: key.name,
  aside: <RunsOut {...key} />,
  second: (
    <>
      <Mono>{key.prefix}…</Mono> <ActsFor {...key} />
    </>
  ),
});

/** Why a key opens nothing because of the person it acts for. Null when it opens what they may. */
export function restsBecause({ holder }: Pick<ApiKey, 'holder'>): string | null {
  if (holder.role === null) return 'left';
  return holder.isSuspended ? 'suspended' : null;
}

function ActsFor(key: ApiKey) {
  const { name, role, isYou } = key.holder;
  const rests = restsBecause(key);
  const who = isYou ? 'You' : name;
  if (rests === null) return `${who} (${role})`;
  return (
    <>
      {who} <StatusBadge status={rests} tone="error" />
    </>
  );
}

function RunsOut({ expiresAt, expired }: ApiKey) {
  if (expired) return <StatusBadge status="expired" tone="error" />;
  return expiresAt === null ? 'Never' : <DateText value={expiresAt} />;
}
