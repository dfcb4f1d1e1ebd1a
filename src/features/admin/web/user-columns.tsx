import { useMediaQuery } from '@mantine/hooks';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise, formatShortDate } from '#platform/web/format.ts';
import type { AdminUser } from '../contract.ts';

/** A user's name, or their address if they gave none. */
export const nameOf = ({ firstName, lastName, email }: AdminUser): string =>
  `${firstName} ${lastName}`.trim() || email;

const statusOf = ({ status, suspension }: AdminUser) => (
  <span title={suspension?.reason ?? undefined}>
    <StatusBadge status={status} tone={status === 'suspended' ? 'error' : 'success'} />
  </span>
);

const workspacesOf = ({ workspaces }: AdminUser) => workspaces.map(({ name }) => name).join(', ');
const titled = (text: string) => <span title={text}>{text}</span>;

/** Who somebody is, where they work, and since when. A narrow window shows less. */
export function useUserColumns(): Column<AdminUser>[] {
  const roomy = useMediaQuery('(min-width: 76em)', true, { getInitialValueInEffect: false });
  return [
    {
      key: 'name',
      head: 'Name',
      cell: (user) => titled(user.isYou ? `${nameOf(user)} (you)` : nameOf(user)),
      tone: 'strong',
    },
    { key: 'email', head: 'Email', cell: ({ email }) => <AddressText address={email} /> },
    ...(roomy
      ? [
          {
            key: 'workspaces',
            head: 'Workspaces',
            cell: (user: AdminUser) => titled(workspacesOf(user)),
            tone: 'dim' as const,
          },
        ]
      : []),
    { key: 'currentPlan', head: 'Plan', cell: ({ currentPlan }) => capitalise(currentPlan), width: 72 },
    { key: 'status', head: 'Status', cell: statusOf, width: 116, skeleton: 60 },
    {
      key: 'lastSeen',
      head: 'Last seen',
      cell: ({ lastSeen }) => (lastSeen ? <DateText value={lastSeen} /> : 'Never'),
      width: 104,
      numeric: true,
      tone: 'dim',
    },
    {
      key: 'createdAt',
      head: 'Joined',
      cell: ({ createdAt }) => <DateText value={createdAt} />,
      width: 104,
      numeric: true,
      tone: 'dim',
    },
  ];
}

export const userOnPhone = (user: AdminUser): PhoneRow => ({
  title: nameOf(user),
  aside: formatShortDate(user.createdAt),
  second: (
    <>
      {user.status === 'suspended' && statusOf(user)}
      <AddressText address={user.email} />
    </>
  ),
});
