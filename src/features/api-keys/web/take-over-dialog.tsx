import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { type ApiKey, takeOverApiKey } from '../contract.ts';
import { restsBecause } from './key-columns.tsx';

interface TakeOverDialogProps {
  /** Null while the dialog is closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
  onTaken: () => Promise<void>;
}

/** Asks whether a key should act for the reader. */
export const TakeOverDialog = ({ apiKey, onClose, onTaken }: TakeOverDialogProps) => (
  <ConfirmDialog
    opened={apiKey !== null}
    onClose={onClose}
    title={`Take over ${apiKey?.name ?? ''}`}
    confirmLabel="Take over"
    danger={false}
    onConfirm={async () => {
      if (!apiKey) return;
      await call(takeOverApiKey, { params: { id: apiKey.id } }).finally(onTaken);
      toastDone({ title: 'API Key Taken Over', message: `${apiKey.name} acts for you now.` });
    }}
  >
    <p>{apiKey ? consequence(apiKey) : ''}</p>
    <p>
      {apiKey?.holder.name} may still know the key. If they should not use it, make a new one for the program
      and revoke this one.
    </p>
  </ConfirmDialog>
);

function consequence(key: ApiKey): string {
  const { name, role } = key.holder;
  return restsBecause(key) === null
    ? `The key acts for ${name} (${role}) now, and does no more than they may. From now on it may do what you may.`
    : `The key opens nothing, because ${name} ${role === null ? 'is not a member any more' : 'is suspended'}. It will work again, and may do what you may.`;
}
