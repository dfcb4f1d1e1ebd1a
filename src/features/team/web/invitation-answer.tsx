import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserOptions, enterWorkspace, signOut } from '#features/sign-in/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Fields } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { acceptInvitation, declineInvitation, type getInvitation } from '../contract.ts';

interface AnswerProps {
  token: string;
  invitation: ResponseOf<typeof getInvitation>;
  onDeclined: () => void;
}

/** Yes or no, as far as the signed-in person may answer. */
export function InvitationAnswer({ token, invitation: { email, hasAccount }, onDeclined }: AnswerProps) {
  const { data: user, isPending } = useQuery(currentUserOptions);
  const [error, setError] = useState<unknown>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    }
  };
  const accept = () => attempt(() => enterWorkspace(() => call(acceptInvitation, { params: { token } })));
  const decline = () =>
    attempt(async () => {
      await call(declineInvitation, { params: { token } });
      onDeclined();
    });
  if (isPending) return null;
  const next = `/invitation/${token}`;
  return (
    <Fields>
      {error !== null && <Note tone="error">{words(error)}</Note>}
      {user?.email === email && (
        <AsyncButton size="md" onClick={accept}>
          Join
        </AsyncButton>
      )}
      {user && user.email !== email && (
        <>
          <Note tone="info">
            You are signed in as {user.email}. Sign out, then open the link again and sign in as {email}.
          </Note>
          <Button size="md" onClick={() => void signOut()}>
            Sign out
          </Button>
        </>
      )}
      {!user && (
        <LinkButton
          to="/auth"
          search={{ ...(hasAccount ? {} : { mode: 'sign-up' }), next }}
          state={{ signInAs: email }}
          size="md"
        >
          {hasAccount ? `Sign in as ${email}` : 'Make an account'}
        </LinkButton>
      )}
      <AsyncButton size="md" variant="subtle" color="gray" onClick={decline}>
        No, thank you
      </AsyncButton>
    </Fields>
  );
}
