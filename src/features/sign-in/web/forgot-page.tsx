import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { Below, Lines, PlainForm, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { forgotPassword } from '../contract.ts';
import { WithPasswords } from './with-passwords.tsx';

/** Asks for a link that sets a new password. */
export default function ForgotPage() {
  return (
    <WithPasswords title="Forgot your password?">
      <ForgotForm />
    </WithPasswords>
  );
}

function ForgotForm() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ mailed: boolean } | null>(null);
  const { pending, fields, error, send, forget } = useSending();
  return (
    <PlainFrame title={sent ? 'Look for the link' : 'Forgot your password?'}>
      {sent ? (
        <>
          <Lines announced>
            If {email.trim()} has an account, a link that sets a new password is{' '}
            {sent.mailed ? 'on its way.' : 'ready.'} It works once, within an hour.
          </Lines>
          {!sent.mailed && (
            <Lines>
              No mail server is set up here, so the link is not mailed. It is in the outbox, which the
              administrator of this installation can open, and in the server's log.
            </Lines>
          )}
        </>
      ) : (
        <PlainForm
          onSubmit={() =>
            pending || void send(async () => setSent(await call(forgotPassword, { body: { email } })))
          }
        >
          <TextInput
            size="md"
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            spellCheck={false}
            autoFocus
            value={email}
            error={fields.email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              forget();
            }}
          />
          {error !== null && <Note tone="error">{error}</Note>}
          <Button type="submit" size="md" fullWidth loading={pending}>
            Send the link
          </Button>
        </PlainForm>
      )}
      <Below>
        <Link to="/auth">Back to sign in</Link>
      </Below>
    </PlainFrame>
  );
}
