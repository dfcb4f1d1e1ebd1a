import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  changePassword,
  connectProvider,
  disconnectProvider,
  forgotPassword,
} from '#features/sign-in/contract.ts';
import type { ProviderFailure } from '#features/sign-in/rules/provider-failures.ts';
import { failureWords } from '#features/sign-in/rules/provider-words.ts';
import { call } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { About, Fact } from '#platform/web/components/fact.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Account, getAccount, listSessions } from '../contract.ts';
import classes from './account-page.module.css';
import { accountSearch } from './account-search.ts';
import { OwnPassword, SecretInput } from './own-password.tsx';

/** The ways to sign in: the password, and the identity provider if there is one. */
export function SignInCard({ account }: { account: Account }) {
  const { password, provider } = account.signIn;
  return (
    <Card title={provider ? 'Ways to sign in' : 'Password'}>
      <div className={classes.ways}>
        {password !== 'off' && <PasswordWay account={account} label={provider ? 'Password' : undefined} />}
        {provider && <ProviderWay {...provider} isOnly={password !== 'set'} passwords={password !== 'off'} />}
      </div>
    </Card>
  );
}

function PasswordWay({ account, label }: { account: Account; label: string | undefined }) {
  const [, change] = useUrlState(accountSearch);
  const { password, provider } = account.signIn;
  if (password === 'none')
    return (
      <Fact label={label} actions={<SetButton email={account.email} />}>
        You have none. With one you can get in while {provider?.name ?? 'the other way'} is away.
      </Fact>
    );
  return (
    <>
      <Fact
        label={label}
        actions={
          <Button variant="default" onClick={() => change({ open: 'password' })}>
            Change password
          </Button>
        }
      >
        Changing it signs you out everywhere else.
      </Fact>
      <PasswordDialog />
    </>
  );
}

/** A first password is set like a forgotten one: by a link to the person's own address. */
function SetButton({ email }: { email: string }) {
  const { error, send } = useSending();
  const ask = () =>
    send(async () => {
      const { mailed } = await call(forgotPassword, { body: { email } });
      toastDone({
        title: 'Link Sent',
        message: mailed
          ? `A link is on its way to ${email}. It works once, within an hour.`
          : `No mail server is set up: the link for ${email} is in the outbox, which the administrator can open, and in the server's log.`,
      });
    });
  return (
    <>
      <AsyncButton variant="default" onClick={ask}>
        Set a password
      </AsyncButton>
      {error !== null && <Note tone="error">{error}</Note>}
    </>
  );
}

function PasswordDialog() {
  const [{ open }, change] = useUrlState(accountSearch);
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const { pending, fields, error, send } = useSending();
  const queryClient = useQueryClient();
  const close = () => {
    setCurrent('');
    setNew('');
    change({ open: '' });
  };
  const submit = () =>
    send(async () => {
      const { endedSessions } = await call(changePassword, { body: { currentPassword, newPassword } });
      await queryClient.invalidateQueries({ queryKey: [listSessions.path] });
      const others = formatCount(endedSessions, 'other session');
      toastDone({ title: 'Password Changed', message: `${others} ended.` });
      close();
    });
  return (
    <FormDialog
      opened={open === 'password'}
      onClose={close}
      title="Change your password"
      submitLabel="Change password"
      pendingLabel="Changing..."
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <SecretInput
        label="Current password"
        autoComplete="current-password"
        value={currentPassword}
        error={fields.currentPassword}
        onChange={setCurrent}
      />
      <SecretInput
        label="New password"
        description="At least 10 characters."
        autoComplete="new-password"
        value={newPassword}
        error={fields.newPassword}
        onChange={setNew}
      />
    </FormDialog>
  );
}

interface ProviderWayProps {
  name: string;
  connected: boolean;
  /** This person has no other way in. */
  isOnly: boolean;
  passwords: boolean;
}

function ProviderWay({ name, connected, isOnly, passwords }: ProviderWayProps) {
  const [{ open, provider: outcome }, change] = useUrlState(accountSearch);
  const [failure, setFailure] = useState<ProviderFailure | null>(null);
  // Shown once: the address drops it, so that a reload does not show it again.
  useEffect(() => {
    if (outcome === '') return;
    if (outcome === 'connected')
      toastDone({ title: 'Connected', message: `You can sign in through ${name} from now on.` });
    else setFailure(outcome);
    change({ provider: '' }, { replace: true });
  }, [outcome, name, change]);
  const connect = () => {
    setFailure(null);
    change({ open: 'connect' });
  };
  return (
    <>
      <Fact
        label={name}
        actions={
          !connected ? (
            <Button variant="default" onClick={connect}>
              Connect
            </Button>
          ) : (
            !isOnly && (
              <Button variant="default" onClick={() => change({ open: 'disconnect' })}>
                Disconnect
              </Button>
            )
          )
        }
      >
        {connected ? (
          <>
            <StatusBadge status="active" label="Connected" /> {isOnly && <About>Your only way in.</About>}
          </>
        ) : (
          'Connect it to sign in there instead of typing a password here.'
        )}
      </Fact>
      {failure !== null && (
        <Note tone={failure === 'cancelled' ? 'info' : 'error'}>
          {failureWords(failure, { name, passwords, connecting: true })}
        </Note>
      )}
      {open === 'connect' && <ConnectDialog name={name} onClose={() => change({ open: '' })} />}
      {open === 'disconnect' && <DisconnectDialog name={name} onClose={() => change({ open: '' })} />}
    </>
  );
}

interface DialogProps {
  name: string;
  onClose: () => void;
}

function ConnectDialog({ name, onClose }: DialogProps) {
  const [password, setPassword] = useState('');
  const { pending, fields, error, send } = useSending();
  const submit = () =>
    send(async () => {
      const { url } = await call(connectProvider, { body: { password } });
      window.location.assign(url);
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Connect ${name}`}
      submitLabel="Continue"
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <p className={classes.next}>
        You sign in at {name} next. Whoever you are there then gets into this account.
      </p>
      <OwnPassword value={password} error={fields.password} onChange={setPassword} autoFocus />
    </FormDialog>
  );
}

function DisconnectDialog({ name, onClose }: DialogProps) {
  const [password, setPassword] = useState('');
  const { pending, fields, error, send } = useSending();
  const queryClient = useQueryClient();
  const submit = () =>
    send(async () => {
      await call(disconnectProvider, { body: { password } });
      for (const { path } of [getAccount, listSessions])
        await queryClient.invalidateQueries({ queryKey: [path] });
      toastDone({ title: 'Disconnected', message: `You sign in with your password from now on.` });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Disconnect ${name}`}
      submitLabel="Disconnect"
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
      danger
    >
      <p className={classes.next}>
        You sign in with your password from then on. Other sessions that were begun at {name} end.
      </p>
      <OwnPassword value={password} error={fields.password} onChange={setPassword} autoFocus />
    </FormDialog>
  );
}
