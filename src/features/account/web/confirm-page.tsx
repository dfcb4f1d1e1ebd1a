import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { confirmEmail } from '../contract.ts';
import { proofSearch } from './account-search.ts';

/**
 * Confirms an address by a mailed link. It needs a button, because programs that check mail also
 * open links.
 */
export default function ConfirmPage() {
  const [{ token }] = useUrlState(proofSearch);
  const [email, setEmail] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const queryClient = useQueryClient();
  const confirm = async () => {
    setError(null);
    try {
      setEmail((await call(confirmEmail, { body: { token } })).email);
      queryClient.clear();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <PlainFrame title={email === null ? 'Confirm your email address' : 'Your address is confirmed'}>
      {email === null ? (
        <Fields>
          {error !== null && <Note tone="error">{words(error)}</Note>}
          <AsyncButton size="md" onClick={confirm} disabled={token === ''}>
            Confirm the address
          </AsyncButton>
        </Fields>
      ) : (
        <>
          <Lines>{email} is yours, and your account uses it.</Lines>
          <Fields>
            <LinkButton to="/" size="md">
              Go on
            </LinkButton>
          </Fields>
        </>
      )}
    </PlainFrame>
  );
}
