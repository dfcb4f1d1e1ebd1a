import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { listMembers } from '#features/team/contract.ts';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { mostTestAddresses } from '../contract/test-send.ts';
import type { TemplatePreview } from '../contract.ts';
import { ContactChoice } from './contact-choice.tsx';

export interface TestFormProps {
  /** Who can get a test, and how they get it. */
  hint: string;
  /** Sends it to these addresses, filled for a contact or, without one, with samples. */
  send: (to: string[], contactId: number | undefined) => Promise<{ sent: number; isKept: boolean }>;
  onClose: () => void;
  /** What else is chosen, above the contact. */
  children?: ReactNode;
  /** What is said below the choices. */
  note?: ReactNode;
}

/** Asks to whom a test of a message goes and for whom it is filled, and sends it. */
export function TestForm({ hint, send, onClose, children, note }: TestFormProps) {
  const { data: members } = useQuery(queryOptionsFor(listMembers));
  const [to, setTo] = useState<string[]>([useCurrentUser().email]);
  const [contact, setContact] = useState<TemplatePreview['contact']>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const { sent, isKept } = await send(to, contact?.id);
      const where = isKept ? 'kept in the outbox: there is no mail server.' : 'on the way.';
      toastDone({ title: 'Test Sent', message: `${formatCount(sent, 'test')} ${where}` });
      onClose();
    } catch (failure) {
      setError(words(failure, 'The test could not be sent.'));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Send a test"
      submitLabel="Send test"
      pendingLabel="Sending..."
      pending={pending}
      error={error}
      submitDisabled={to.length === 0}
      onSubmit={() => void submit()}
    >
      <MultiSelect
        label="To"
        description={hint}
        data-autofocus
        searchable
        maxValues={mostTestAddresses}
        data={[...new Set([...(members ?? []).map(({ email }) => email), ...to])]}
        value={to}
        onChange={setTo}
      />
      {children}
      <ContactChoice
        chosen={contact}
        onChoose={(id, address = '') =>
          setContact(id === undefined ? undefined : { id, address, name: null })
        }
      />
      {note}
    </FormDialog>
  );
}
