import { Button, CopyButton, Modal, Textarea, TextInput } from '@mantine/core';
import { IconAlertCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Role } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { type InvitedOne, invite, inviteSeveral, listInvitations } from '../contract.ts';
import { typedAddresses } from '../rules/typed-addresses.ts';
import classes from './invite-dialog.module.css';
import { type DialogProps, RoleSelect } from './team-dialogs.tsx';

const mostAtOnce = 50;

/** Invites one address or several. Then says what could not be, and what has to be passed on. */
export function InviteDialog({ opened, onClose, role: actor }: DialogProps & { role: Role }) {
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [results, setResults] = useState<InvitedOne[] | null>(null);
  const { pending, fields, error, send, forget } = useSending();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!opened) return;
    setTyped('');
    setResults(null);
  }, [opened]);
  const emails = typedAddresses(typed);
  const submit = () =>
    send(async () => {
      const invited = await inviteAll(emails, role);
      await queryClient.invalidateQueries({ queryKey: [listInvitations.path] });
      if (invited.some(({ invitation }) => !invitation?.mailed)) return setResults(invited);
      toastDone({ title: 'Invitation Sent', message: sentWords(invited) });
      onClose();
    });
  if (results !== null) return <ResultDialog opened={opened} onClose={onClose} results={results} />;
  const tooMany = emails.length > mostAtOnce ? `At most ${mostAtOnce} at once.` : undefined;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Invite people"
      submitLabel={emails.length > 1 ? `Send ${emails.length} invitations` : 'Send invitation'}
      pendingLabel="Sending..."
      pending={pending}
      isChanged={typed.trim() !== ''}
      submitDisabled={tooMany !== undefined}
      error={error}
      onSubmit={() => void submit()}
    >
      <Textarea
        label="Email"
        description="Several with commas between them, or one a line."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="email"
        autoComplete="off"
        autosize
        minRows={1}
        maxRows={8}
        data-autofocus
        value={typed}
        error={tooMany ?? fields.email}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          forget();
        }}
      />
      <RoleSelect actor={actor} value={role} onChange={setRole} />
    </FormDialog>
  );
}

/** What is wrong with a single address stands beside the field, so that fails. */
async function inviteAll(emails: string[], role: Role): Promise<InvitedOne[]> {
  const [email = '', ...others] = emails;
  if (others.length > 0) return (await call(inviteSeveral, { body: { emails, role } })).results;
  return [{ email, invitation: await call(invite, { body: { email, role } }), problem: null }];
}

function sentWords(invited: readonly InvitedOne[]): string {
  const [first, ...others] = invited;
  return others.length === 0
    ? `${first?.email} has a link that holds for a week.`
    : `${formatCount(invited.length, 'person has', 'people have')} a link that holds for a week.`;
}

/** What became of each address. Without a mail server, each has a link to pass on. */
function ResultDialog({ opened, onClose, results }: DialogProps & { results: InvitedOne[] }) {
  const links = results.filter(({ invitation }) => invitation !== null && !invitation.mailed);
  const refused = results.filter(({ invitation }) => invitation === null);
  const [only] = links;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={refused.length > 0 ? 'Not everybody was invited' : 'Pass the link on'}
      size={520}
    >
      {links.length > 0 && (
        <Note tone="info" title="No mail server is set up">
          Nothing was mailed to {only && links.length === 1 ? only.email : 'them'}. Send them{' '}
          {links.length === 1 ? 'this link' : 'these links'} yourself;{' '}
          {links.length === 1 ? 'it is' : 'they are'} also in the <TextLink to="/outbox">outbox</TextLink>.
        </Note>
      )}
      <ul className={classes.results}>
        {results.map((one) => (
          <li key={one.email}>
            {(results.length > 1 || one.problem !== null) && <Outcome {...one} />}
            {one.invitation && !one.invitation.mailed && (
              <PassOn link={one.invitation.link} of={results.length > 1 ? one.email : null} />
            )}
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function Outcome({ email, invitation, problem }: InvitedOne) {
  return (
    <p className={classes.outcome} data-refused={invitation === null || undefined}>
      {invitation ? (
        <IconCircleCheckFilled size={16} aria-hidden />
      ) : (
        <IconAlertCircle size={16} stroke={1.8} aria-hidden />
      )}
      <span>
        <span className={classes.email}>{email}</span> {problem ?? 'Invited.'}
      </span>
    </p>
  );
}

function PassOn({ link, of }: { link: string; of: string | null }) {
  const label = 'Link of the invitation';
  return (
    <div className={classes.link}>
      <TextInput
        {...(of === null ? { label } : { 'aria-label': `${label} for ${of}` })}
        readOnly
        value={link}
      />
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button variant={of === null ? 'filled' : 'default'} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
