import { Button, CopyButton, SegmentedControl, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pastedAddresses } from '#features/csv/rules/pasted.ts';
import { startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { mostAddresses } from '../contract.ts';
import { tellOutcome } from './change-and-tell.ts';
import type { Group, GroupCalls } from './group-calls.ts';

export interface PasteContactsProps {
  /** Undefined while the dialog is closed. */
  group: Group | undefined;
  onClose: () => void;
}

const failed = 'Failed to perform bulk action. Please try again.';

/**
 * Puts the contacts with pasted addresses on a list, or takes them off. Afterwards it shows the
 * addresses that are no contacts.
 */
export function PasteContactsDialog({ calls, group, onClose }: PasteContactsProps & { calls: GroupCalls }) {
  const paste = usePaste(calls, group, onClose);
  const { text, addresses, isAddition, unknown } = paste;
  const isTooMany = addresses.length > mostAddresses;
  if (unknown.length > 0)
    return <UnknownAddresses opened={group !== undefined} addresses={unknown} onClose={onClose} />;
  const many = formatCount(addresses.length, 'address', 'addresses');
  return (
    <FormDialog
      opened={group !== undefined}
      onClose={onClose}
      title={`Paste addresses for ${paste.name}`}
      submitLabel={isAddition ? `Put ${many} on it` : `Take ${many} off it`}
      submitDisabled={addresses.length === 0 || isTooMany}
      pending={paste.pending}
      isChanged={text.trim() !== ''}
      error={paste.error}
      onSubmit={() => void paste.submit()}
      width={520}
    >
      <SegmentedControl
        size="xs"
        aria-label="What to do"
        value={isAddition ? 'add' : 'remove'}
        onChange={(value) => paste.setAddition(value === 'add')}
        data={[
          { value: 'add', label: 'Put on the list' },
          { value: 'remove', label: 'Take off the list' },
        ]}
      />
      <Textarea
        data-autofocus
        label="Addresses of contacts"
        description="One a line, or with commas, semicolons or blanks between them. Names are passed over."
        placeholder={'jane@example.co.uk\nJoe Bloggs <joe@example.co.uk>'}
        autosize
        minRows={8}
        maxRows={16}
        value={text}
        onChange={(event) => paste.setText(event.currentTarget.value)}
      />
      {isTooMany && (
        <Note
          tone="warning"
          title={`At most ${formatNumber(mostAddresses)} addresses can be pasted`}
          action={<TextLink to="/imports">Import Data</TextLink>}
        >
          Bring them in as a file. You can choose the list there.
        </Note>
      )}
    </FormDialog>
  );
}

function usePaste(calls: GroupCalls, group: Group | undefined, onClose: () => void) {
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [isAddition, setAddition] = useState(true);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  // Stays while the dialog fades out.
  const [name, setName] = useState('');
  useEffect(() => {
    if (group === undefined) return;
    setName(group.name);
    setText('');
    setAddition(true);
    setError(null);
    setUnknown([]);
  }, [group?.id]);
  const addresses = pastedAddresses(text);
  const submit = async () => {
    if (group === undefined) return;
    setPending(true);
    setError(null);
    try {
      const input = { params: { id: group.id }, body: { emails: addresses } };
      const started = isAddition
        ? await startTask(queryClient, calls.add, input)
        : await startTask(queryClient, calls.remove, input);
      const ended = await started.outcome;
      if (ended.status === 'failed') return setError(ended.message || failed);
      tellOutcome(queryClient, calls, { name: group.name, isAddition }, ended);
      const left = ended.body?.unknown?.addresses ?? [];
      if (left.length === 0) onClose();
      else setUnknown(left);
    } catch (failure) {
      setError(words(failure, failed));
    } finally {
      setPending(false);
    }
  };
  return { name, text, setText, addresses, isAddition, setAddition, pending, error, unknown, submit };
}

interface UnknownAddressesProps {
  opened: boolean;
  addresses: readonly string[];
  onClose: () => void;
}

/** The addresses that are no contacts, to be copied. */
function UnknownAddresses({ opened, addresses, onClose }: UnknownAddressesProps) {
  const all = addresses.join('\n');
  const are = addresses.length === 1 ? 'is no contact' : 'are no contacts';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`${formatCount(addresses.length, 'address', 'addresses')} ${are}`}
      submitLabel="Done"
      withoutCancel
      pending={false}
      onSubmit={onClose}
      width={520}
    >
      <p>
        Nothing was done for {addresses.length === 1 ? 'it' : 'them'}. To add new contacts, paste them under{' '}
        <TextLink to="/imports">Import Data</TextLink>, where you can choose the list as well.
      </p>
      <Textarea label="No contacts" readOnly autosize minRows={3} maxRows={12} value={all} />
      <CopyButton value={all}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} data-autofocus>
            {copied ? 'Copied' : 'Copy them'}
          </Button>
        )}
      </CopyButton>
    </FormDialog>
  );
}
