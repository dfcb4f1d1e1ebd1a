import { Button, Menu } from '@mantine/core';
import { IconMailForward, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Role, roles } from '#platform/shared/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge, WordBadge } from '#platform/web/components/status-badge.tsx';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import { capitalise, formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import {
  getAccount,
  type Invitation,
  listInvitations,
  listMembers,
  type Member,
  resendInvitation,
  revokeInvitation,
} from '../contract.ts';
import { changeProblem, roleWords } from '../rules/team.ts';
import {
  InviteDialog,
  LeaveDialog,
  RemoveDialog,
  RenameDialog,
  RoleDialog,
  TransferDialog,
} from './team-dialogs.tsx';
import classes from './team-page.module.css';
import { teamSearch } from './team-search.ts';
import { TwoFactorRuleCard } from './team-security.tsx';

type Asked = { what: 'role' | 'remove' | 'transfer'; member: Member };

/** Who works in the workspace, who is asked to, and what each may do. */
export default function TeamPage() {
  const { workspace, role } = useCurrentUser();
  const [{ open }, change] = useUrlState(teamSearch);
  const [asked, setAsked] = useState<Asked | null>(null);
  const manages = useMay('admin');
  const members = useQuery(queryOptionsFor(listMembers));
  const close = () => change({ open: '' });
  const done = () => setAsked(null);
  const self = members.data?.find(({ isYou }) => isYou);
  return (
    <Page
      title="Team"
      purpose={`Who works in ${workspace.name}, and what each may do.`}
      actions={
        <>
          {manages && (
            <Button variant="default" onClick={() => change({ open: 'rename' })}>
              Rename
            </Button>
          )}
          <Button variant="default" onClick={() => change({ open: 'leave' })}>
            Leave
          </Button>
          {manages && (
            <Button
              leftSection={<IconUserPlus size={16} stroke={1.6} />}
              onClick={() => change({ open: 'invite' })}
            >
              Invite people
            </Button>
          )}
        </>
      }
    >
      <Members query={members} role={role} required={workspace.requiresTwoFactor} onAsk={setAsked} />
      {manages && <TwoFactorRuleCard members={members.data} />}
      {manages && <Invitations onInvite={() => change({ open: 'invite' })} />}
      <Roles />
      <InviteDialog opened={open === 'invite' && manages} onClose={close} role={role} />
      <RenameDialog opened={open === 'rename' && manages} onClose={close} name={workspace.name} />
      <LeaveDialog
        opened={open === 'leave'}
        onClose={close}
        problem={self ? leavingProblem(self, members.data ?? []) : null}
        workspace={workspace.name}
      />
      {asked?.what === 'role' && <RoleDialog member={asked.member} role={role} onClose={done} />}
      {asked?.what === 'remove' && (
        <RemoveDialog member={asked.member} workspace={workspace.name} onClose={done} />
      )}
      {asked?.what === 'transfer' && (
        <TransferDialog member={asked.member} workspace={workspace.name} onClose={done} />
      )}
    </Page>
  );
}

const ownersAmong = (members: readonly Member[]): number =>
  members.filter(({ role }) => role === 'owner').length;

const leavingProblem = (self: Member, members: readonly Member[]): string | null =>
  changeProblem({ actor: self.role, from: self.role, to: null, owners: ownersAmong(members), self: true });

interface MembersProps {
  query: { data: Member[] | undefined; isPending: boolean; error: unknown; refetch: () => unknown };
  role: Role;
  /** Whether everybody needs two-factor sign-in. */
  required: boolean;
  onAsk: (asked: Asked) => void;
}

function Members({ query, role, required, onAsk }: MembersProps) {
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
        columns={[
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
        ]}
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

function Invitations({ onInvite }: { onInvite: () => void }) {
  const query = useQuery(queryOptionsFor(listInvitations));
  const { data: account } = useQuery(queryOptionsFor(getAccount));
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listInvitations.path] });
  const attempt = async (title: string, work: () => Promise<string>) => {
    try {
      toastDone({ title, message: await work() });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error) });
    }
    await refresh();
  };
  const resend = ({ id, email }: Invitation) =>
    attempt('Invitation Sent', async () => {
      const { mailed, link } = await call(resendInvitation, { params: { id } });
      if (mailed) return `${email} has a new link. The old one stopped working.`;
      await navigator.clipboard?.writeText(link).catch(() => undefined);
      return 'No mail server is set up. The new link is in the outbox, and copied.';
    });
  const revoke = ({ id, email }: Invitation) =>
    attempt('Invitation Revoked', async () => {
      await call(revokeInvitation, { params: { id } });
      return `The link for ${email} stopped working.`;
    });
  return (
    <Card
      flush
      title="Invitations"
      hint={account?.hasMailServer === false && 'No mail server is set up: mail is kept in the outbox'}
      action={<TextLink to="/outbox">Outbox</TextLink>}
    >
      <DataTable<Invitation, number>
        label="Invitations"
        place="group"
        rows={query.data}
        state={query}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        errorTitle="The invitations could not be loaded"
        expectedRows={1}
        empty={
          <EmptyState
            icon={IconMailForward}
            title="Nobody is invited"
            description="An invitation is a link by mail that holds for a week."
            action={
              <Button variant="default" onClick={onInvite}>
                Invite people
              </Button>
            }
          />
        }
        rowMenu={(invitation) => (
          <>
            <Menu.Item onClick={() => void resend(invitation)}>Send again</Menu.Item>
            <Menu.Item data-danger onClick={() => void revoke(invitation)}>
              Take back
            </Menu.Item>
          </>
        )}
        columns={[
          {
            key: 'email',
            head: 'Email',
            tone: 'strong',
            cell: ({ email }) => <AddressText address={email} />,
          },
          { key: 'role', head: 'Role', width: 110, cell: ({ role }) => capitalise(role) },
          { key: 'by', head: 'Invited by', width: 180, tone: 'dim', cell: ({ invitedBy }) => invitedBy },
          {
            key: 'state',
            head: 'State',
            width: 130,
            cell: ({ expired }) => <InvitationState expired={expired} />,
          },
          {
            key: 'sent',
            head: 'Sent',
            width: 110,
            numeric: true,
            tone: 'dim',
            cell: ({ sentAt }) => <DateText value={sentAt} />,
          },
        ]}
        phone={({ email, role, expired }) => ({
          title: <AddressText address={email} />,
          aside: capitalise(role),
          second: <InvitationState expired={expired} />,
        })}
      />
    </Card>
  );
}

const InvitationState = ({ expired }: { expired: boolean }) =>
  expired ? <StatusBadge status="expired" tone="error" /> : <StatusBadge status="pending" />;

function Roles() {
  return (
    <Card title="What each role may do" hint="Each may also do what the ones above it may">
      <dl className={classes.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{capitalise(role)}</dt>
            <dd>{roleWords[role]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
