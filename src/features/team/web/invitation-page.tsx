import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Fields, Lines, PlainFrame } from '#platform/web/components/plain-frame.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatFullDate } from '#platform/web/format.ts';
import { getInvitation } from '../contract.ts';
import { roleWords } from '../rules.ts';
import { InvitationAnswer } from './invitation-answer.tsx';

/**
 * The page behind an invitation's link, for people who are signed in, signed out, or have no
 * account.
 */
export default function InvitationPage() {
  const { token } = useParams({ strict: false }) as { token: string };
  const { data, error, isPending } = useQuery(queryOptionsFor(getInvitation, { params: { token } }));
  if (isPending) return <CentredSpinner />;
  if (error && error.status !== 404) {
    return (
      <PlainFrame title="Invitation">
        <ErrorState title="The invitation could not be loaded" error={error} />
      </PlainFrame>
    );
  }
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
      {!expired && (
        <InvitationAnswer token={token} invitation={invitation} onDeclined={() => setDeclined(true)} />
      )}
    </PlainFrame>
  );
}
