import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listMembers } from '#features/team/contract.ts';
import { mostTestAddresses } from '#features/templates/contract/test-send.ts';
import { ContactChoice } from '#features/templates/web/index.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { variantName } from '../contract/ab-test.ts';
import { getCampaign, testCampaign } from '../contract.ts';

/** Asks to whom a test goes, and as whom it is filled. */
export function TestDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: members } = useQuery(queryOptionsFor(listMembers));
  const [to, setTo] = useState<string[]>([useCurrentUser().email]);
  const [contact, setContact] = useState<{ id: number; address: string; name: null }>();
  const { data: campaign } = useQuery(queryOptionsFor(getCampaign, { params: { id } }));
  const [variant, setVariant] = useState(1);
  const variants = 1 + (campaign?.abTest?.variants.length ?? 0);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const body = { to, ...(contact ? { contactId: contact.id } : {}), ...(variant > 1 ? { variant } : {}) };
      const { sent, isKept } = await call(testCampaign, { params: { id }, body });
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
        description="People of this workspace. They get it as it will go out, with [Test] before the subject. Nothing is counted."
        data-autofocus
        searchable
        maxValues={mostTestAddresses}
        data={[...new Set([...(members ?? []).map(({ email }) => email), ...to])]}
        value={to}
        onChange={setTo}
      />
      {variants > 1 && (
        <Select
          label="Variant"
          allowDeselect={false}
          data={Array.from({ length: variants }, (_, place) => ({
            value: String(place + 1),
            label: `Variant ${variantName(place + 1)}`,
          }))}
          value={String(variant)}
          onChange={(chosen) => setVariant(Number(chosen))}
        />
      )}
      <ContactChoice
        chosen={contact}
        onChoose={(contactId, address = '') =>
          setContact(contactId === undefined ? undefined : { id: contactId, address, name: null })
        }
      />
    </FormDialog>
  );
}
