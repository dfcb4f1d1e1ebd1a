import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { type ApiKey, revokeApiKey } from '../contract.ts';

interface RevokeDialogProps {
  /** Null while the dialog is closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
  onRevoked: () => Promise<void>;
}

/** Asks whether to revoke a key. */
export const RevokeDialog = ({ apiKey, onClose, onRevoked }: RevokeDialogProps) => (
  <ConfirmDialog
    opened={apiKey !== null}
    onClose={onClose}
    title={`Revoke ${apiKey?.name ?? ''}`}
    confirmLabel="Revoke key"
    onConfirm={async () => {
      if (!apiKey) return;
      await call(revokeApiKey, { params: { id: apiKey.id } }).finally(onRevoked);
      toastDone({ title: 'API Key Revoked', message: `${apiKey.name} opens nothing any more.` });
    }}
  >
    <p>Programs that use this key are refused from their next call on. It cannot be undone.</p>
  </ConfirmDialog>
);
