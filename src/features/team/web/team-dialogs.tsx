import { Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OwnPassword } from '#features/account/web/index.ts';
import { enterWorkspace } from '#features/sign-in/web/index.ts';
import { mayAs, type Role, roles } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { ConfirmDialog, FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { capitalise, formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import {
  changeRole,
  leaveWorkspace,
  listInvitations,
  listMembers,
  type Member,
  removeMember,
  renameWorkspace,
  transferOwnership,
} from '../contract.ts';
import { invitingProblem, roleWords } from '../rules.ts';
import { KeysChoice } from './keys-choice.tsx';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

const choicesFor = (actor: Role) =>
  roles
    .filter((role) => invitingProblem(actor, role) === null)
    .map((role) => ({ value: role, label: capitalise(role) }));

export function RoleSelect({
  actor,
  value,
  onChange,
}: {
  actor: Role;
  value: Role;
  onChange: (role: Role) => void;
}) {
  return (
    <Select
      label="Role"
      description={roleWords[value]}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      allowDeselect={false}
      data={choicesFor(actor)}
      value={value}
      onChange={(next) => next && onChange(next as Role)}
    />
  );
}

export function RenameDialog({ opened, onClose, name: before }: DialogProps & { name: string }) {
  const [name, setName] = useState(before);
  const { pending, fields, error, send } = useSending();
  const submit = () =>
    send(async () => {
      await call(renameWorkspace, { body: { name } });
      window.location.assign('/team');
    });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Rename the workspace"
      submitLabel="Rename"
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        error={fields.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

const fateOfKeys = (count?: number): string =>
  `${count === undefined ? 'API keys that act' : `${formatCount(count, 'API key')} that ${count === 1 ? 'acts' : 'act'}`} for you will be revoked, unless an admin takes ${count === 1 ? 'it' : 'them'} over first.`;

interface LeaveDialogProps extends DialogProps {
  workspace: string;
  problem: string | null;
  /** How many API keys act for the reader. Absent: nobody has counted them. */
  apiKeys?: number;
}

export function LeaveDialog({ opened, onClose, workspace, problem, apiKeys }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Leave ${workspace}`}
      confirmLabel="Leave"
      confirmDisabled={problem !== null}
      onConfirm={() => enterWorkspace(() => call(leaveWorkspace))}
    >
      <p>
        {problem ??
          'You lose access at once. Your open invitations end. Somebody who manages the team can invite you again.'}
      </p>
      {problem === null && apiKeys !== 0 && <p>{fateOfKeys(apiKeys)}</p>}
    </ConfirmDialog>
  );
}

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

export function RoleDialog({ member, role: actor, onClose }: MemberDialogProps & { role: Role }) {
  const [role, setRole] = useState<Role>(member.role);
  const [apiKeys, setApiKeys] = useState<'keep' | 'take_over'>('keep');
  const losing = role !== member.role && mayAs(member.role, role);
  const { pending, error, send } = useSending();
  const queryClient = useQueryClient();
  const submit = () =>
    send(async () => {
      const keys = losing ? apiKeys : 'keep';
      await call(changeRole, { params: { id: member.id }, body: { role, apiKeys: keys } });
      // The person's own role decides what the shell shows.
      await queryClient.invalidateQueries();
      toastDone({ title: 'Role Changed', message: `${member.name} is ${role} from now on.` });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Role of ${member.name}`}
      submitLabel="Change role"
      pending={pending}
      error={error}
      submitDisabled={role === member.role}
      onSubmit={() => void submit()}
    >
      <RoleSelect actor={actor} value={role} onChange={setRole} />
      {losing && !member.isYou && (
        <KeysChoice
          member={member}
          otherwise={{
            value: 'keep',
            label: 'Leave as they are',
            description: `They do no more than a member with the ${role} role may.`,
          }}
          value={apiKeys}
          onChange={setApiKeys}
        />
      )}
    </FormDialog>
  );
}

export function RemoveDialog({ member, workspace, onClose }: MemberDialogProps & { workspace: string }) {
  const [apiKeys, setApiKeys] = useState<'revoke' | 'take_over'>('revoke');
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${member.name}`}
      confirmLabel="Remove member"
      onConfirm={async () => {
        await call(removeMember, { params: { id: member.id }, query: { apiKeys } });
        await queryClient.invalidateQueries({ queryKey: [listMembers.path] });
        await queryClient.invalidateQueries({ queryKey: [listInvitations.path] });
        toastDone({ title: 'Member Removed', message: `${member.email} is out.` });
      }}
    >
      <p>
        {member.name} ({member.email}) loses access to {workspace} at once, and their open invitations end.
        What they did stays, and they can be invited again.
      </p>
      <KeysChoice
        member={member}
        otherwise={{
          value: 'revoke',
          label: 'Revoke',
          description: 'Programs that use them are refused from their next call on.',
        }}
        value={apiKeys}
        onChange={setApiKeys}
      />
    </ConfirmDialog>
  );
}

export function TransferDialog({ member, workspace, onClose }: MemberDialogProps & { workspace: string }) {
  const [password, setPassword] = useState('');
  const { pending, fields, error, send, forget } = useSending();
  const queryClient = useQueryClient();
  const submit = () =>
    send(async () => {
      await call(transferOwnership, { body: { memberId: member.id, password } });
      await queryClient.invalidateQueries();
      toastDone({ title: 'Ownership Transferred', message: `${member.name} owns ${workspace} now.` });
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Hand ${workspace} over`}
      submitLabel="Hand over"
      pendingLabel="Handing over..."
      pending={pending}
      error={error}
      onSubmit={() => void submit()}
    >
      <Note>
        {member.name} ({member.email}) becomes the owner, and you become an admin. Only they can undo it.
      </Note>
      <OwnPassword
        autoFocus
        value={password}
        error={fields.password}
        onChange={(value) => {
          setPassword(value);
          forget();
        }}
      />
    </FormDialog>
  );
}
