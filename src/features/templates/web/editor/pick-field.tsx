import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatAbout, formatCount, formatNumber } from '#platform/web/format.ts';
import type { TemplateField } from '../../contract/fields.ts';
import { listTemplateFields } from '../../contract.ts';
import { readablyQuoted } from '../../rules/liquid/quoted.ts';
import classes from './editor.module.css';

/** The merge fields of the workspace. Counting them looks at contacts, so they are kept a while. */
export const useMergeFields = () =>
  useQuery({ ...queryOptionsFor(listTemplateFields), staleTime: 5 * 60_000 });

const kinds: [kind: TemplateField['kind'], label: string][] = [
  ['contact', 'Of the contact'],
  ['extra', 'From imports'],
  ['sender', 'Of the sender'],
  ['message', 'For you to fill'],
];

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

function FieldDialog({ onDone }: { onDone: (liquid: string | null) => void }) {
  const { data, error } = useMergeFields();
  const [name, setName] = useState<string>('first_name');
  const [fallback, setFallback] = useState('');
  const field = data?.items.find((one) => one.name === name);
  const mayLack = field?.kind === 'contact' || field?.kind === 'extra';
  const submit = () => {
    const instead = fallback.trim();
    onDone(
      mayLack && instead !== '' ? `{{ ${name} | default: ${readablyQuoted(instead)} }}` : `{{ ${name} }}`,
    );
  };
  const offered = kinds.map(([kind, group]) => ({
    group,
    items: (data?.items ?? [])
      .filter((one) => one.kind === kind)
      .map((one) => ({ value: one.name, label: one.label })),
  }));
  return (
    <FormDialog
      opened
      onClose={() => onDone(null)}
      title="Insert a field"
      submitLabel="Insert"
      submitDisabled={!field}
      pending={false}
      onSubmit={submit}
    >
      <Select
        label="Field"
        description={wordsOf(field, data)}
        data-autofocus
        searchable
        allowDeselect={false}
        data={offered}
        renderOption={({ option: { value, label } }) => (
          <span className={classes.field}>
            {label}
            <span>{countOf(data, value)}</span>
          </span>
        )}
        value={name}
        onChange={(value) => setName(value ?? 'first_name')}
      />
      {mayLack && (
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
      {error && <ErrorLine title="The fields could not be loaded." error={error} />}
    </FormDialog>
  );
}

type Fields = NonNullable<ReturnType<typeof useMergeFields>['data']>;

/** How many contacts have a value, in short. Empty where it is not theirs. */
function countOf(all: Fields | undefined, name: string): string {
  const contacts = all?.items.find((one) => one.name === name)?.contacts ?? null;
  if (!all || contacts === null) return '';
  return all.isEstimate ? `${formatAbout(contacts)} contacts` : formatCount(contacts, 'contact');
}

/** How many contacts have a value, and who gives it otherwise. */
function wordsOf(field: TemplateField | undefined, all: Fields | undefined): string {
  if (!field || !all) return 'What each contact is called, or what you said about yourself.';
  if (field.kind === 'sender') return 'The same in every email: from your settings, or made when it is sent.';
  if (field.kind === 'message') return 'You give it when you write the campaign.';
  const have = field.contacts ?? 0;
  const start = `${all.isEstimate ? 'About ' : ''}${formatNumber(have)}`;
  return `${start} of ${formatCount(all.contacts, 'contact')} ${have === 1 ? 'has' : 'have'} one.`;
}
