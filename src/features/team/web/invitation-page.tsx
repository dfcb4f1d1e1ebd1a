import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { currentUserOptions, enterWorkspace, signOut } from '#features/sign-in/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatFullDate } from '#platform/web/format.ts';
import { acceptInvitation, declineInvitation, getInvitation } from '../contract.ts';
import { roleWords } from '../rules.ts';

/** What the link of an invitation leads to, for who is signed in, signed out or not yet anybody. */
export default function InvitationPage() {
  const { token } = useParams({ strict: false }) as { token: string };
  const { data, error, isPending } = useQuery(queryOptionsFor(getInvitation, { params: { token } }));
  if (isPending) return <CentredSpinner />;
  if (error) {
    return (
      <PlainFrame title="This invitation is not open">
        <Lines>{words(error)}</Lines>
        <Fields>
          <LinkButton to="/" size="md" variant="default">
            Go to the start page
          </LinkButton>
        </Fields>
      </PlainFrame>
    );
  }
  return <Open token={token} invitation={data} />;
}

function Open({ token, invitation }: { token: string; invitation: ResponseOf<typeof getInvitation> }) {
  const { workspace, email, role, invitedBy, expiresAt, expired } = invitation;
  const [declined, setDeclined] = useState(false);
  if (declined) {
    return (
      <PlainFrame title="You said no">
        <Lines>{invitedBy} can invite you again should you change your mind.</Lines>
      </PlainFrame>
    );
  }
  return (
    <PlainFrame title={`Join ${workspace}`}>
      <Lines>
        {invitedBy} invites {email} as {role}. {roleWords[role]}
      </Lines>
      <Lines>
        {expired
          ? `The invitation has run out. Ask ${invitedBy} to send it again.`
          : `It holds until ${formatFullDate(expiresAt)}.`}
      </Lines>
      {!expired && <Answer token={token} invitation={invitation} onDeclined={() => setDeclined(true)} />}
    </PlainFrame>
  );
}

interface AnswerProps {
  token: string;
  invitation: ResponseOf<typeof getInvitation>;
  onDeclined: () => void;
}

function Answer({ token, invitation: { email, hasAccount }, onDeclined }: AnswerProps) {
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
  const accept = () =>
    attempt(async () => {
      await call(acceptInvitation, { params: { token } });
      enterWorkspace();
    });
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
        <LinkButton to="/auth" search={{ ...(hasAccount ? {} : { mode: 'sign-up' }), next }} size="md">
          {hasAccount ? `Sign in as ${email}` : 'Make an account'}
        </LinkButton>
      )}
      <AsyncButton size="md" variant="subtle" color="gray" onClick={decline}>
        No, thank you
      </AsyncButton>
    </Fields>
  );
}
