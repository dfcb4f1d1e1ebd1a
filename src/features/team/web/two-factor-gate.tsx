import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SetUpDialog } from '#features/account/web/index.ts';
import { enterWorkspace, signOut } from '#features/sign-in/web/index.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { listWorkspaces, switchWorkspace } from '../contract.ts';
import { isNameTwice } from '../rules.ts';
import { LeaveDialog } from './team-dialogs.tsx';
import classes from './two-factor-gate.module.css';

/**
 * What a member without two-factor sign-in sees when the workspace requires it: how to set it up,
 * and the ways out.
 */
export default function TwoFactorGate() {
  const { workspace } = useCurrentUser();
  const { data: workspaces } = useQuery(queryOptionsFor(listWorkspaces));
  const [open, setOpen] = useState<'set-up' | 'leave' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(words(failure));
    }
  };
  const workIn = (id: number) => attempt(() => enterWorkspace(() => call(switchWorkspace, { body: { id } })));
  return (
    <PlainFrame title="Set up two-factor sign-in">
      <Lines>
        {workspace.name} asks everybody for it: besides the password, a code from an app on your phone.
        Nothing of yours is lost; you go on where you were once it is set up.
      </Lines>
      <Fields>
        {error !== null && <Note tone="error">{error}</Note>}
        <Button size="md" onClick={() => setOpen('set-up')}>
          Set up
        </Button>
        {workspaces
          ?.filter(({ current }) => !current)
          .map(({ id, name, owner }) => (
            <div key={id} className={classes.choice}>
              <AsyncButton fullWidth size="md" variant="default" onClick={() => workIn(id)}>
                Work in {name}
              </AsyncButton>
              {isNameTwice(workspaces, name) && owner !== null && (
                <span className={classes.whose}>Owned by {owner}</span>
              )}
            </div>
          ))}
        <Button size="md" variant="subtle" color="red" onClick={() => setOpen('leave')}>
          Leave {workspace.name}
        </Button>
        <AsyncButton size="md" variant="subtle" color="gray" onClick={() => attempt(signOut)}>
          Sign out
        </AsyncButton>
      </Fields>
      {open === 'set-up' && <SetUpDialog onClose={() => setOpen(null)} />}
      <LeaveDialog
        opened={open === 'leave'}
        onClose={() => setOpen(null)}
        workspace={workspace.name}
        problem={null}
      />
    </PlainFrame>
  );
}
