import { useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { deleteSmtpServer, listSmtpServers, type ShownServer } from '../contract.ts';

interface Props {
  server: ShownServer;
  isLast: boolean;
  onClose: () => void;
}

/** Asks first, because the password goes with the server. */
export function RemoveServerDialog({ server: { id, name }, isLast, onClose }: Props) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${name}`}
      confirmLabel="Remove server"
      onConfirm={async () => {
        await call(deleteSmtpServer, { params: { id } });
        await queryClient.invalidateQueries({ queryKey: [listSmtpServers.path] });
        toastDone({ title: 'Server Removed', message: `Nothing leaves through ${name} any more.` });
      }}
    >
      <p>
        Its password is deleted with it.{' '}
        {isLast && 'Messages then leave as this installation is set up to send them.'}
      </p>
    </ConfirmDialog>
  );
}
