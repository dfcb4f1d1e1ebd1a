import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { listSenders } from '../contract.ts';

/** Nulls mean the default sender. */
export interface ChosenSender {
  fromName: string | null;
  fromAddress: string | null;
  replyTo: string | null;
}

export interface SenderSelectProps {
  value: ChosenSender;
  onChange: (sender: ChosenSender) => void;
}

const inWords = (name: string | null, address: string) => (name ? `${name} <${address}>` : address);
const asDefault = 'default';
const asItIs = 'as it is';

/**
 * Chooses a sender among the addresses of the workspace. A sender that is no longer among them
 * can be kept.
 */
export function SenderSelect({ value, onChange }: SenderSelectProps) {
  const { data, error } = useQuery(queryOptionsFor(listSenders));
  const preset = data?.items.find(({ id }) => id === null);
  const others = data?.items.filter(({ id }) => id !== null) ?? [];
  const { fromName, fromAddress, replyTo } = value;
  const same = others.find(
    (one) => one.address === fromAddress && one.name === fromName && (one.replyTo || one.address) === replyTo,
  );
  const isDefault = fromName === null && fromAddress === null && replyTo === null;
  const chosen = isDefault ? asDefault : same ? String(same.id) : asItIs;
  if (error && !data) return <ErrorLine title="The senders could not be loaded." error={error} />;
  return (
    <Select
      label="From"
      allowDeselect={false}
      data={[
        {
          value: asDefault,
          label: preset ? `${inWords(preset.name, preset.address)} (default)` : 'The default sender',
        },
        ...(chosen === asItIs
          ? [{ value: asItIs, label: inWords(fromName, fromAddress ?? preset?.address ?? '') }]
          : []),
        ...others.map(({ id, name, address }) => ({ value: String(id), label: inWords(name, address) })),
      ]}
      value={chosen}
      onChange={(id) => {
        if (id === asDefault) onChange({ fromName: null, fromAddress: null, replyTo: null });
        const one = others.find((other) => String(other.id) === id);
        // Without one of its own, the mail would take the reply address of the default sender.
        if (one)
          onChange({ fromName: one.name, fromAddress: one.address, replyTo: one.replyTo || one.address });
      }}
    />
  );
}
