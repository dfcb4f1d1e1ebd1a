import { Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, words } from '#platform/web/api.ts';
import { ConfirmDialog, FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount, formatWhen } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import {
  type AdminUser,
  findUsers,
  getAdminStats,
  liftUserSuspension,
  listAdminActions,
  listNewestUsers,
  signUserOut,
  suspendUser,
} from '../contract.ts';
import { nameOf } from './user-columns.tsx';

/** What the administrator is about to do to somebody. */
export interface UserAct {
  kind: 'suspend' | 'lift' | 'sign-out';
  user: AdminUser;
}

interface UserDialogProps {
  act: UserAct | null;
  onClose: () => void;
}

/** Asks before an act and says what it will do. */
export function UserDialog({ act, onClose }: UserDialogProps) {
  const queryClient = useQueryClient();
  // The words stay while the dialog fades out.
  const last = useRef(act);
  if (act) last.current = act;
  const shown = last.current;
  if (!shown) return null;
  const { kind, user } = shown;
  const params = { id: Number(user.id) };
  const refresh = () => {
    for (const { path } of [findUsers, listNewestUsers, getAdminStats, listAdminActions])
      void queryClient.invalidateQueries({ queryKey: [path] });
  };
  if (kind === 'suspend')
    return <SuspendDialog user={user} opened={act !== null} onClose={onClose} onDone={refresh} />;
  if (kind === 'lift') {
    return (
      <ConfirmDialog
        opened={act !== null}
        onClose={onClose}
        title={`Lift the suspension of ${nameOf(user)}?`}
        confirmLabel="Lift suspension"
        danger={false}
        onConfirm={async () => {
          await call(liftUserSuspension, { params });
          toastDone({ title: 'Suspension Lifted', message: `${user.email} can sign in again.` });
          refresh();
        }}
      >
        {user.email} can sign in again, with everything as it was.
        {user.suspension && (
          <>
            {' '}
            Suspended {formatWhen(user.suspension.at)} by {user.suspension.by}
            {user.suspension.reason ? `: ${user.suspension.reason}` : '.'}
          </>
        )}
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      opened={act !== null}
      onClose={onClose}
      title={`Sign ${nameOf(user)} out everywhere?`}
      confirmLabel={`End ${formatCount(user.sessions, 'session')}`}
      onConfirm={async () => {
        const { sessionsEnded } = await call(signUserOut, { params });
        toastDone({
          title: 'Signed Out',
          message: `${formatCount(sessionsEnded, 'session')} of ${user.email} ended.`,
        });
        refresh();
      }}
    >
      Every browser and phone that {user.email} is signed in on has to sign in again, with the second factor
      where there is one. Work under way goes on.
    </ConfirmDialog>
  );
}

interface SuspendDialogProps {
  user: AdminUser;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

function SuspendDialog({ user, opened, onClose, onDone }: SuspendDialogProps) {
  const [reason, setReason] = useState('');
  const [state, setState] = useState<{ pending: boolean; error: string | null }>({
    pending: false,
    error: null,
  });
  useEffect(() => {
    if (!opened) return;
    setReason('');
    setState({ pending: false, error: null });
  }, [opened]);
  const submit = async () => {
    setState({ pending: true, error: null });
    try {
      await call(suspendUser, { params: { id: Number(user.id) }, body: { reason: reason.trim() || null } });
      setState({ pending: false, error: null });
      toastDone({ title: 'User Suspended', message: `${user.email} is signed out and cannot sign in.` });
      onDone();
      onClose();
    } catch (error) {
      setState({
        pending: false,
        error: words(error, 'The user could not be suspended. Nothing was changed.'),
      });
    }
  };
  return (
    <FormDialog
      danger
      opened={opened}
      onClose={onClose}
      title={`Suspend ${nameOf(user)}?`}
      submitLabel="Suspend user"
      pendingLabel="Suspending..."
      pending={state.pending}
      isChanged={reason.trim() !== ''}
      onSubmit={() => void submit()}
      error={state.error}
    >
      <p style={{ margin: 0 }}>
        {user.email} is signed out everywhere at once and cannot sign in until you lift it. Nothing is
        deleted, and the workspaces they share go on without them. API keys that act for them let nobody in
        meanwhile.
      </p>
      <Textarea
        label="Reason"
        description="For your record and the audit logs of their workspaces. They are not told."
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
