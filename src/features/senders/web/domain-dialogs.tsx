import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, queryKeyOf } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { showNewer } from '#platform/web/query-client.ts';
import { toastDone } from '#platform/web/toast.tsx';
import {
  deleteSenderDomain,
  getSenderDomain,
  listSenderDomains,
  rotateSenderKey,
  type SenderDomain,
} from '../contract.ts';
import { keptDays } from '../rules/keys.ts';
import { domainsPath } from './paths.ts';

interface Props {
  data: SenderDomain;
  opened: boolean;
  onClose: () => void;
}

/** Makes a second key, which takes over once its record is seen. */
export function RotateKeyDialog({ data: { id, domain }, opened, onClose }: Props) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`New DKIM key for ${domain}`}
      confirmLabel="Make a new key"
      danger={false}
      onConfirm={async () => {
        const data = await call(rotateSenderKey, { params: { id } });
        showNewer(queryClient, queryKeyOf(getSenderDomain, { params: { id } }), data);
        toastDone({ title: 'Key Made', message: 'Publish its record. Until it is seen, the old key signs.' });
      }}
    >
      <p>
        You publish one more record. Once it is seen in DNS, the new key signs. Keep the record of the old key
        for another {keptDays} days, for mail on its way.
      </p>
    </ConfirmDialog>
  );
}

/** Asks whether to remove a domain. */
export function RemoveDomainDialog({ data: { id, domain }, opened, onClose }: Props) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Remove ${domain}`}
      confirmLabel="Remove domain"
      onConfirm={async () => {
        await call(deleteSenderDomain, { params: { id } });
        await navigate({ to: domainsPath });
        queryClient.removeQueries({ queryKey: queryKeyOf(getSenderDomain, { params: { id } }) });
        await queryClient.invalidateQueries({ queryKey: [listSenderDomains.path] });
        toastDone({ title: 'Domain Removed', message: `${domain} is no sender domain any more.` });
      }}
    >
      <p>
        Its keys are deleted for good and mail from it is not signed any more. Adding it again makes a new key
        and takes a new record.
      </p>
    </ConfirmDialog>
  );
}
