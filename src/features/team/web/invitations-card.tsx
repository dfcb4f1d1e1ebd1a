import { Button, Menu } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getAccount } from '#features/account/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Column } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { capitalise } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type Invitation, listInvitations, resendInvitation, revokeInvitation } from '../contract.ts';

/** Browsers have no clipboard without https, and may refuse one a while after the press. */
const isCopied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

function useInvitationActions() {
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
      return `No mail server is set up. The new link is in the outbox${(await isCopied(link)) ? ', and copied' : ''}.`;
    });
  const revoke = ({ id, email }: Invitation) =>
    attempt('Invitation Revoked', async () => {
      await call(revokeInvitation, { params: { id } });
      return `The link for ${email} stopped working.`;
    });
  return { resend, revoke };
}

/** Who is invited and has not answered. */
export function InvitationsCard({ onInvite }: { onInvite: () => void }) {
  const query = useQuery(queryOptionsFor(listInvitations));
  const { data: account } = useQuery(queryOptionsFor(getAccount));
  const { resend, revoke } = useInvitationActions();
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
        columns={columns}
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

const columns: Column<Invitation>[] = [
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
];
