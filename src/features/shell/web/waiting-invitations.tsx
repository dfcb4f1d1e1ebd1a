import { IconMailQuestion, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { enterWorkspace } from '#features/sign-in/web/index.ts';
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
  seeOwnInvitations,
  type WaitingInvitation,
} from '#features/team/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatFullDate, formatShortDate } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import classes from './header.module.css';

/** Fetched again every minute, like the notifications. */
const ownInvitations = {
  ...queryOptionsFor(listOwnInvitations),
  staleTime: 60_000,
  refetchInterval: 60_000,
};

/**
 * How many invitations to this person's address they have not seen, and whether the bell shows any.
 */
export function useInvitations(): { unread: number; any: boolean } {
  const { data } = useQuery(ownInvitations);
  return {
    unread: data?.unread ?? 0,
    any: data !== undefined && (data.items.length > 0 || data.waitsForProof),
  };
}

/** Invitations to other workspaces, with the answer buttons. Showing them marks them as seen. */
export function WaitingInvitations() {
  const queryClient = useQueryClient();
  const { data } = useQuery(ownInvitations);
  const { mutate: markSeen } = useMutation({
    mutationFn: () => call(seeOwnInvitations),
    onSuccess: ({ unread }) =>
      queryClient.setQueryData(ownInvitations.queryKey, (before) => before && { ...before, unread }),
  });
  const unread = data?.unread ?? 0;
  useEffect(() => {
    if (unread > 0) markSeen();
  }, [unread, markSeen]);
  if (!data) return null;
  if (data.waitsForProof) return <Unproven />;
  if (data.items.length === 0) return null;
  return (
    <ul className={classes.invitations} aria-label="Invitations">
      {data.items.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  );
}

function Invitation({ invitation }: { invitation: WaitingInvitation }) {
  const { id, workspace, role, invitedBy, sentAt, expiresAt, isNew } = invitation;
  const queryClient = useQueryClient();
  const size = usePhone() ? 'md' : 'xs';
  const answer = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error) });
    }
    await queryClient.invalidateQueries({ queryKey: [listOwnInvitations.path] });
  };
  const accept = () => answer(() => enterWorkspace(() => call(acceptOwnInvitation, { params: { id } })));
  const decline = () =>
    answer(async () => {
      await call(declineOwnInvitation, { params: { id } });
      toastDone({
        title: 'Invitation Declined',
        message: `${invitedBy} can invite you again should you change your mind.`,
      });
    });
  return (
    <li className={classes.activity} data-new={isNew || undefined}>
      <IconUserPlus size={16} stroke={1.6} aria-hidden />
      <span className={classes.action}>
        Join {workspace}
        {isNew && <span className={classes.newDot} role="img" aria-label="New" />}
      </span>
      <time className={classes.when} dateTime={sentAt} title={formatFullDate(sentAt)}>
        {formatShortDate(sentAt)}
      </time>
      <span className={classes.details}>
        {invitedBy} invites you as {role}. It holds until {formatFullDate(expiresAt)}.
      </span>
      <span className={classes.answers}>
        <AsyncButton size={size} onClick={accept} aria-label={`Accept the invitation to ${workspace}`}>
          Accept
        </AsyncButton>
        <AsyncButton
          size={size}
          variant="default"
          onClick={decline}
          aria-label={`Decline the invitation to ${workspace}`}
        >
          Decline
        </AsyncButton>
      </span>
    </li>
  );
}

/**
 * People with an unconfirmed address do not see which workspace, because the address may be
 * somebody else's.
 */
function Unproven() {
  const { email } = useCurrentUser();
  const size = usePhone() ? 'md' : 'xs';
  return (
    <ul className={classes.invitations} aria-label="Invitations">
      <li className={classes.activity}>
        <IconMailQuestion size={16} stroke={1.6} aria-hidden />
        <span className={classes.action}>An invitation waits for you</span>
        <span className={classes.details}>
          It is shown once {email} is confirmed as yours. The link in the mail opens it, too.
        </span>
        <span className={classes.answers}>
          <LinkButton to="/account" size={size} variant="default">
            Confirm your address
          </LinkButton>
        </span>
      </li>
    </ul>
  );
}
