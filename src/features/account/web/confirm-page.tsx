import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserOptions, signOut } from '#features/sign-in/web/index.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { confirmEmail } from '../contract.ts';
import { proofSearch } from './account-search.ts';

/**
 * Confirms an address by a mailed link, for whoever is signed in to the account. It needs a button,
 * because programs that check mail also open links.
 */
export default function ConfirmPage() {
  const [email, setEmail] = useState<string | null>(null);
  if (email === null) {
    return (
      <PlainFrame title="Confirm your email address">
        <Confirming onConfirmed={setEmail} />
      </PlainFrame>
    );
  }
  return (
    <PlainFrame title="Your address is confirmed">
      <Lines>{email} is yours, and your account uses it.</Lines>
      <Fields>
        <LinkButton to="/" size="md">
          Go on
        </LinkButton>
      </Fields>
    </PlainFrame>
  );
}

function Confirming({ onConfirmed }: { onConfirmed: (email: string) => void }) {
  const [{ token }] = useUrlState(proofSearch);
  const { data: user, error: failure, isPending } = useQuery(currentUserOptions);
  const [error, setError] = useState<unknown>(null);
  const queryClient = useQueryClient();
  const confirm = async () => {
    setError(null);
    try {
      const { email } = await call(confirmEmail, { body: { token } });
      onConfirmed(email);
      queryClient.clear();
    } catch (refusal) {
      setError(refusal);
    }
  };
  if (isPending) return null;
  if (failure) return <ErrorState title="Your account could not be loaded" error={failure} />;
  if (!user) {
    return (
      <>
        <Lines>Sign in to the account that uses this address, or will use it. Then confirm it here.</Lines>
        <Fields>
          <LinkButton to="/auth" search={{ next: `/confirm-email?token=${token}` }} size="md">
            Sign in
          </LinkButton>
        </Fields>
      </>
    );
  }
  const isForOther = error instanceof ApiError && error.status === 403;
  return (
    <>
      <Lines>You are signed in as {user.email}.</Lines>
      <Fields>
        {error !== null && <Note tone="error">{words(error)}</Note>}
        {isForOther ? (
          <Button size="md" onClick={() => void signOut()}>
            Sign out
          </Button>
        ) : (
          <AsyncButton size="md" onClick={confirm} disabled={token === ''}>
            Confirm the address
          </AsyncButton>
        )}
      </Fields>
    </>
  );
}
