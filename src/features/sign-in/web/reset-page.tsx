import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Below, Fields, Lines, PlainForm, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { resetPassword } from '../contract.ts';
import { resetSearch } from './auth-search.ts';
import { currentUserOptions } from './session.ts';
import { WithPasswords } from './with-passwords.tsx';

/** Sets a new password by a mailed link. */
export default function ResetPage() {
  return (
    <WithPasswords title="Set a new password">
      <ResetForm />
    </WithPasswords>
  );
}

function ResetForm() {
  const [{ token }] = useUrlState(resetSearch);
  const [password, setPassword] = useState('');
  const [email, setEmail] = useState<string | null>(null);
  const { pending, fields, error, send, forget } = useSending();
  const queryClient = useQueryClient();
  const submit = () =>
    send(async () => {
      const done = await call(resetPassword, { body: { token, password } });
      // Every session has ended, including this browser's.
      queryClient.setQueryData(currentUserOptions.queryKey, null);
      setEmail(done.email);
    });
  if (email !== null) {
    return (
      <PlainFrame title="Your password is set">
        <Lines>
          Sign in to {email} with the new password. Every session of the account has been signed out.
        </Lines>
        <Fields>
          <LinkButton to="/auth" size="md">
            Sign in
          </LinkButton>
        </Fields>
      </PlainFrame>
    );
  }
  return (
    <PlainFrame title="Set a new password">
      <PlainForm onSubmit={() => pending || void submit()}>
        <PasswordInput
          size="md"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          autoFocus
          value={password}
          error={fields.password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            forget();
          }}
        />
        {error !== null && <Note tone="error">{error}</Note>}
        <Button type="submit" size="md" fullWidth loading={pending} disabled={token === ''}>
          Set the password
        </Button>
      </PlainForm>
      <Below>
        <Link to="/forgot-password">Ask for a new link</Link>
      </Below>
    </PlainFrame>
  );
}
