import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { contactFields, placeholderFields, senderFields } from '../../rules/known-fields.ts';
import type { MergeFieldName } from '../visual/visual-props.ts';

const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const named = (names: readonly string[]): MergeFieldName[] =>
  names.map((name) => ({ name, label: labelOf(name) }));

/** The merge fields that every workspace has. */
export const mergeFields: readonly MergeFieldName[] = named([
  ...contactFields,
  ...senderFields,
  ...placeholderFields,
]);

const groups = [
  { group: 'Of the contact', names: contactFields },
  { group: 'Of the sender', names: senderFields },
  { group: 'For you to fill', names: placeholderFields },
].map(({ group, names }) => ({
  group,
  items: named(names).map(({ name, label }) => ({ value: name, label })),
}));

interface FieldPicker {
  /** Asks for a merge field. Answers its Liquid, or null. */
  pickField: () => Promise<string | null>;
  /** The dialog. Draw it once, wherever. */
  picker: ReactNode;
}

/** Lets somebody choose a merge field, and what stands there for those who have no value. */
export function usePickField(): FieldPicker {
  const [answer, setAnswer] = useState<((liquid: string | null) => void) | null>(null);
  return {
    pickField: () => new Promise((resolve) => setAnswer(() => resolve)),
    picker: answer && (
      <FieldDialog
        onDone={(liquid) => {
          setAnswer(null);
          answer(liquid);
        }}
      />
    ),
  };
}

/** Within a Liquid text. */
const quoted = (text: string): string =>
  text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`;

function FieldDialog({ onDone }: { onDone: (liquid: string | null) => void }) {
  const [name, setName] = useState<string>('first_name');
  const [fallback, setFallback] = useState('');
  const ofContact = (contactFields as readonly string[]).includes(name);
  const submit = () => {
    const instead = fallback.trim();
    onDone(ofContact && instead !== '' ? `{{ ${name} | default: ${quoted(instead)} }}` : `{{ ${name} }}`);
  };
  return (
    <FormDialog
      opened
      onClose={() => onDone(null)}
      title="Insert a field"
      submitLabel="Insert"
      pending={false}
      onSubmit={submit}
    >
      <Select
        label="Field"
        data-autofocus
        searchable
        allowDeselect={false}
        data={groups}
        value={name}
        onChange={(value) => setName(value ?? 'first_name')}
      />
      {ofContact && (
        <TextInput
          label="For those without one"
          description="Optional: what stands there instead."
          placeholder="there"
          autoComplete="off"
          maxLength={200}
          value={fallback}
          onChange={({ currentTarget: { value } }) => setFallback(value)}
        />
      )}
    </FormDialog>
  );
}
