import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { resetPassword } from '../contract.ts';
import classes from './auth-page.module.css';
import { PlainFrame } from './plain-frame.tsx';
import { currentUserOptions } from './session.ts';
import { linkSearch } from './team-search.ts';

/** Sets a new password by a mailed link. */
export default function ResetPage() {
  const [{ token }] = useUrlState(linkSearch);
  const [password, setPassword] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [email, setEmail] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const atField = error instanceof ApiError ? error.fields.password : undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setPending(true);
    setError(null);
    try {
      const done = await call(resetPassword, { body: { token, password } });
      // Every session has ended, that of this browser too.
      queryClient.setQueryData(currentUserOptions.queryKey, null);
      setEmail(done.email);
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  if (email !== null) {
    return (
      <PlainFrame title="Your password is set">
        <p className={classes.lines}>
          Sign in to {email} with the new password. Every session of the account has been signed out.
        </p>
        <div className={classes.fields}>
          <LinkButton to="/auth" size="md">
            Sign in
          </LinkButton>
        </div>
      </PlainFrame>
    );
  }
  return (
    <PlainFrame title="Set a new password">
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        <PasswordInput
          size="md"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          autoFocus
          value={password}
          error={atField}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setError(null);
          }}
        />
        {error !== null && !atField && <Note tone="error">{words(error)}</Note>}
        <Button type="submit" size="md" fullWidth loading={pending} disabled={token === ''}>
          Set the password
        </Button>
      </form>
      <p className={classes.forgot}>
        <Link to="/forgot-password">Ask for a new link</Link>
      </p>
    </PlainFrame>
  );
}
