import { Menu } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { Role } from '#platform/shared/contract.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise, formatCount } from '#platform/web/format.ts';
import type { Member } from '../contract.ts';
import { changeProblem } from '../rules.ts';

/** What somebody wants to do to a member. */
export type Asked = { what: 'role' | 'remove' | 'transfer'; member: Member };

export const ownersAmong = (members: readonly Member[]): number =>
  members.filter(({ role }) => role === 'owner').length;

interface MembersProps {
  query: { data: Member[] | undefined; isPending: boolean; error: unknown; refetch: () => unknown };
  role: Role;
  /** Whether everybody needs two-factor sign-in. */
  required: boolean;
  onAsk: (asked: Asked) => void;
}

/** The people in the workspace. */
export function MembersCard({ query, role, required, onAsk }: MembersProps) {
  const owners = ownersAmong(query.data ?? []);
  const actions = (member: Member) => {
    if (member.isYou && role !== 'owner') return null;
    const may =
      changeProblem({ actor: role, from: member.role, to: null, owners: owners + 1, self: false }) === null;
    if (!may) return null;
    return (
      <>
        <Menu.Item onClick={() => onAsk({ what: 'role', member })}>Change role</Menu.Item>
        {role === 'owner' && !member.isYou && (
          <Menu.Item onClick={() => onAsk({ what: 'transfer', member })}>Hand the workspace over</Menu.Item>
        )}
        {!member.isYou && (
          <Menu.Item data-danger onClick={() => onAsk({ what: 'remove', member })}>
            Remove
          </Menu.Item>
        )}
      </>
    );
  };
  const count = query.data?.length;
  return (
    <Card
      flush
      title="Members"
      hint={count === undefined ? undefined : formatCount(count, 'person', 'people')}
    >
      <DataTable<Member, number>
        label="Members"
        place="group"
        rows={query.data}
        state={query}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        errorTitle="The members could not be loaded"
        expectedRows={3}
        empty={<EmptyState icon={IconUsers} title="Nobody yet" description="Invite the first colleague." />}
        rowMenu={actions}
        columns={columnsOf(required)}
        phone={({ name, email, role: held, twoFactor }) => ({
          title: name,
          aside: capitalise(held),
          second: (
            <>
              <AddressText address={email} />
              {required && !twoFactor ? (
                <WordBadge tone="warning">No two-factor</WordBadge>
              ) : (
                twoFactor && <WordBadge>Two-factor</WordBadge>
              )}
            </>
          ),
        })}
      />
    </Card>
  );
}

const columnsOf = (required: boolean): Column<Member>[] => [
  {
    key: 'name',
    head: 'Name',
    tone: 'strong',
    cell: ({ name, isYou }) => (
      <>
        {name} {isYou && <WordBadge>You</WordBadge>}
      </>
    ),
  },
  { key: 'email', head: 'Email', cell: ({ email }) => <AddressText address={email} /> },
  { key: 'role', head: 'Role', width: 110, cell: (member) => capitalise(member.role) },
  {
    key: 'factor',
    head: 'Two-factor',
    width: 110,
    tone: 'dim',
    cell: ({ twoFactor }) =>
      twoFactor ? 'On' : required ? <WordBadge tone="warning">Missing</WordBadge> : 'Off',
  },
  {
    key: 'joined',
    head: 'Joined',
    width: 110,
    numeric: true,
    tone: 'dim',
    cell: ({ joinedAt }) => <DateText value={joinedAt} />,
  },
  {
    key: 'seen',
    head: 'Last seen',
    width: 110,
    numeric: true,
    tone: 'dim',
    cell: ({ lastSeenAt, isYou }) =>
      isYou ? 'Now' : lastSeenAt === null ? 'Not yet' : <DateText value={lastSeenAt} />,
  },
];
