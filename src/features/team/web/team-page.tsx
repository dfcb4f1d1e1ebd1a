import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Page } from '#platform/web/components/page.tsx';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { listMembers, type Member } from '../contract.ts';
import { changeProblem } from '../rules.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Asked, MembersCard, ownersAmong } from './members-card.tsx';
import { RolesCard } from './roles-card.tsx';
import { LeaveDialog, RemoveDialog, RenameDialog, RoleDialog, TransferDialog } from './team-dialogs.tsx';
import { teamSearch } from './team-search.ts';
import { TwoFactorRuleCard } from './two-factor-rule-card.tsx';

/** Who works in the workspace, who is invited, and what each may do. */
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
      <MembersCard query={members} role={role} required={workspace.requiresTwoFactor} onAsk={setAsked} />
      {manages && <TwoFactorRuleCard members={members.data} />}
      {manages && <InvitationsCard onInvite={() => change({ open: 'invite' })} />}
      <RolesCard />
      <InviteDialog opened={open === 'invite' && manages} onClose={close} role={role} />
      <RenameDialog opened={open === 'rename' && manages} onClose={close} name={workspace.name} />
      <LeaveDialog
        opened={open === 'leave'}
        onClose={close}
        problem={self ? leavingProblem(self, members.data ?? []) : null}
        workspace={workspace.name}
        apiKeys={self?.apiKeys ?? 0}
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

const leavingProblem = (self: Member, members: readonly Member[]): string | null =>
  changeProblem({ actor: self.role, from: self.role, to: null, owners: ownersAmong(members), self: true });
