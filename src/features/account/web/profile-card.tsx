import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getCurrentUser } from '#features/sign-in/contract.ts';
import { call } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Fact } from '#platform/web/components/fact.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Account, changeEmail, changeName, getAccount, proveEmail } from '../contract.ts';
import classes from './account-page.module.css';
import { accountSearch } from './account-search.ts';
import { OwnPassword } from './own-password.tsx';

/** Name and address. */
export function ProfileCard({ account }: { account: Account }) {
  const [{ open }, change] = useUrlState(accountSearch);
  const [name, setName] = useState(account.name);
  const { pending, fields, error, send } = useSending();
  const queryClient = useQueryClient();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void send(async () => {
      await call(changeName, { body: { name } });
      await queryClient.invalidateQueries({ queryKey: [getAccount.path] });
      await queryClient.invalidateQueries({ queryKey: [getCurrentUser.path] });
      toastDone({ title: 'Name Changed' });
    });
  };
  return (
    <Card title="Profile">
      <form className={classes.row} onSubmit={save} noValidate>
        <TextInput
          label="Name"
          autoComplete="name"
          className={classes.field}
          value={name}
          error={fields.name ?? error}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={pending} disabled={name.trim() === account.name}>
          Save
        </Button>
      </form>
      <Fact
        label="Email"
        actions={
          <>
            {!account.emailVerified && <ProveButton />}
            <Button variant="default" onClick={() => change({ open: 'email' })}>
              Change email
            </Button>
          </>
        }
      >
        {account.email}{' '}
        {account.emailVerified ? (
          <StatusBadge status="active" label="Confirmed" />
        ) : (
          <StatusBadge status="pending" label="Not confirmed" />
        )}
      </Fact>
      <EmailDialog opened={open === 'email'} onClose={() => change({ open: '' })} />
    </Card>
  );
}

const whereTheLinkIs = ({ to, mailed }: { to: string; mailed: boolean }): string =>
  mailed
    ? `A link is on its way to ${to}. It works once, within a day.`
    : `No mail server is set up: the link for ${to} is in the outbox, which the administrator can open, and in the server's log.`;

function ProveButton() {
  const { error, send } = useSending();
  return (
    <>
      <AsyncButton
        variant="default"
        onClick={() =>
          send(async () => toastDone({ title: 'Link Sent', message: whereTheLinkIs(await call(proveEmail)) }))
        }
      >
        Send the link
      </AsyncButton>
      {error !== null && <Note tone="error">{error}</Note>}
    </>
  );
}

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

function EmailDialog({ opened, onClose }: DialogProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState<string | null>(null);
  const { pending, fields, error, send } = useSending();
  const close = () => {
    setSent(null);
    setPassword('');
    onClose();
  };
  const submit = () => {
    if (sent !== null) return close();
    void send(async () => setSent(whereTheLinkIs(await call(changeEmail, { body: { email, password } }))));
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title="Change your email address"
      submitLabel={sent === null ? 'Send the link' : 'Done'}
      pending={pending}
      error={error}
      onSubmit={submit}
    >
      {sent === null ? (
        <>
          <TextInput
            label="New email address"
            description="It counts once you open the link that is sent there."
            type="email"
            inputMode="email"
            autoComplete="email"
            data-autofocus
            value={email}
            error={fields.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <OwnPassword value={password} error={fields.password} onChange={setPassword} />
        </>
      ) : (
        <Note tone="info">{sent}</Note>
      )}
    </FormDialog>
  );
}
