import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { Note } from '#platform/web/components/states.tsx';
import { forgotPassword } from '../contract.ts';
import classes from './auth-page.module.css';
import { PlainFrame } from './plain-frame.tsx';

/** Asks for a link that sets a new password. */
export default function ForgotPage() {
  const [email, setEmail] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [sent, setSent] = useState<{ mailed: boolean } | null>(null);
  const atField = error instanceof ApiError ? error.fields.email : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setPending(true);
    setError(null);
    try {
      setSent(await call(forgotPassword, { body: { email } }));
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  return (
    <PlainFrame title={sent ? 'Look for the link' : 'Forgot your password?'}>
      {sent ? (
        <>
          <p className={classes.lines} role="status">
            If {email.trim()} has an account, a link that sets a new password is{' '}
            {sent.mailed
              ? 'on its way. It works once, within an hour.'
              : 'ready. It works once, within an hour.'}
          </p>
          {!sent.mailed && (
            <p className={classes.lines}>
              No mail server is set up here, so the link is not mailed. It is in the outbox, which the
              administrator of this installation can open, and in the server's log.
            </p>
          )}
        </>
      ) : (
        <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
          <TextInput
            size="md"
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            spellCheck={false}
            autoFocus
            value={email}
            error={atField}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setError(null);
            }}
          />
          {error !== null && !atField && <Note tone="error">{words(error)}</Note>}
          <Button type="submit" size="md" fullWidth loading={pending}>
            Send the link
          </Button>
        </form>
      )}
      <p className={classes.forgot}>
        <Link to="/auth">Back to sign in</Link>
      </p>
    </PlainFrame>
  );
}
