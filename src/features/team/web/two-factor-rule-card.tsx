import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getCurrentUser } from '#features/sign-in/contract.ts';
import { call } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { About, Fact } from '#platform/web/components/fact.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { listMembers, type Member, requireTwoFactor } from '../contract.ts';

/** Whether everybody here must sign in with a second factor; for those who manage the team. */
export function TwoFactorRuleCard({ members }: { members: Member[] | undefined }) {
  const { workspace } = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const required = workspace.requiresTwoFactor;
  const hasItself = members?.find(({ isYou }) => isYou)?.twoFactor;
  const without = members?.filter(({ twoFactor }) => !twoFactor).length ?? 0;
  return (
    <Card title="Two-factor sign-in">
      <Fact
        actions={
          !required && hasItself === false ? (
            <LinkButton to="/account" variant="default">
              Set it up for yourself
            </LinkButton>
          ) : (
            <Button variant="default" disabled={!members} onClick={() => setAsking(true)}>
              {required ? 'No longer require it' : 'Require it'}
            </Button>
          )
        }
      >
        {required ? (
          <>
            <StatusBadge status="active" label="Required" />{' '}
            <About>
              {without === 0
                ? 'Everybody has it.'
                : `${formatCount(without, 'person has', 'people have')} yet to set it up, and cannot work here until then.`}
            </About>
          </>
        ) : hasItself === false ? (
          'Set it up for yourself, then you can require it of everybody in this workspace.'
        ) : (
          'Each member decides. You can require it of everybody in this workspace.'
        )}
      </Fact>
      <RuleDialog
        opened={asking}
        onClose={() => setAsking(false)}
        required={required}
        workspace={workspace.name}
        without={without}
      />
    </Card>
  );
}

interface RuleDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The rule now. The dialog offers the opposite. */
  required: boolean;
  workspace: string;
  without: number;
}

function RuleDialog({ opened, onClose, required, workspace, without }: RuleDialogProps) {
  const queryClient = useQueryClient();
  const decide = async () => {
    await call(requireTwoFactor, { body: { requireTwoFactor: !required } });
    for (const { path } of [getCurrentUser, listMembers])
      await queryClient.invalidateQueries({ queryKey: [path] });
    toastDone(
      required
        ? { title: 'Two-Factor Optional', message: 'Each member decides from now on.' }
        : {
            title: 'Two-Factor Required',
            message: 'Members without it are asked to set it up as soon as they do anything here.',
          },
    );
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      danger={false}
      title={required ? 'No longer require two-factor sign-in' : 'Require two-factor sign-in'}
      confirmLabel={required ? 'No longer require it' : 'Require it'}
      onConfirm={decide}
    >
      {required ? (
        <p>Members keep what they have set up. Who has none can work in {workspace} with a password alone.</p>
      ) : (
        <>
          <p>
            {without === 0
              ? `Everybody in ${workspace} has it already. Who joins later sets it up first.`
              : `${formatCount(without, 'person', 'people')} in ${workspace} ${without === 1 ? 'has' : 'have'} none. They are told by mail, and cannot work here until they have set it up.`}
          </p>
          <p>API keys go on working.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
