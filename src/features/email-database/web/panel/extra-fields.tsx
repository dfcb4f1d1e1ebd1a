import { ActionIcon, Autocomplete, DataList, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { listFields } from '#features/audience/contract.ts';
import type { Contact } from '#features/contacts/contract.ts';
import {
  type ContactChange,
  longestAttributeName,
  longestValue,
} from '#features/contacts/rules/contact-change.ts';
import { needsEditor } from '#features/contacts/web/index.ts';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { useGone } from '#platform/web/components/use-gone.ts';
import { useMay } from '#platform/web/current-user.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { holdWork } from '#platform/web/unsaved-work.ts';
import classes from './contact-panel.module.css';
import { ContactText } from './contact-text.tsx';
import { useLeftTexts } from './left-texts.ts';
import { useChangeContact } from './use-change-contact.ts';
import { useLeaveText } from './use-leave-text.ts';

type OnChange = (change: ContactChange, seen: ContactChange) => Promise<void>;

/** A contact's extra fields: what its file brought, and what people added. */
export function ExtraFields({ contact }: { contact: Contact }) {
  const mayEdit = useMay('editor');
  const onChange = useChangeContact(contact);
  const [isAdding, setIsAdding] = useState(false);
  const heading = useId();
  const { attributes } = contact;
  // Somebody else may have removed a field that a text was left for.
  const left = Object.keys(useLeftTexts(contact.id)).flatMap((field) =>
    field.startsWith('attributes.') ? [field.slice('attributes.'.length)] : [],
  );
  const fields = [...new Set([...Object.keys(attributes), ...left])]
    .sort((one, other) => one.localeCompare(other, 'en-GB'))
    .map((name) => [name, Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null] as const);
  return (
    <section aria-labelledby={heading}>
      <div className={classes.row}>
        <h3 id={heading} className={classes.heading}>
          Extra fields
        </h3>
        {!isAdding && (
          <MayEditButton
            size="xs"
            variant="subtle"
            color="gray"
            why={needsEditor}
            leftSection={<IconPlus size={14} stroke={1.6} />}
            onClick={() => setIsAdding(true)}
          >
            Add a field
          </MayEditButton>
        )}
      </div>
      {fields.length > 0 && (
        <DataList labelWidth={104} gap={8} className={classes.facts} mt={8}>
          {fields.map(([name, value]) => (
            <DataList.Item key={name}>
              <DataList.ItemLabel>{name}</DataList.ItemLabel>
              <DataList.ItemValue>
                {mayEdit ? (
                  <ExtraField contact={contact} name={name} value={value} onChange={onChange} />
                ) : (
                  value
                )}
              </DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
      )}
      {fields.length === 0 && !isAdding && <p className={classes.none}>None yet.</p>}
      {isAdding && (
        <NewField
          contact={contact}
          taken={fields.map(([name]) => name)}
          onChange={onChange}
          onEnd={() => setIsAdding(false)}
        />
      )}
    </section>
  );
}

interface ExtraFieldProps {
  contact: Contact;
  name: string;
  /** Null where somebody else has removed it. */
  value: string | null;
  onChange: OnChange;
}

const attribute = (name: string, value: string | null): ContactChange => ({ attributes: { [name]: value } });

function ExtraField({ contact, name, value, onChange }: ExtraFieldProps) {
  const remove = () =>
    onChange(attribute(name, null), attribute(name, value)).catch((error) =>
      toastFailed({ title: 'Not removed', message: words(error) }),
    );
  return (
    <div className={classes.editable}>
      <ContactText
        contact={contact}
        field={`attributes.${name}`}
        label={name}
        value={value}
        maxLength={longestValue}
      />
      {value !== null && (
        <Tooltip label="Remove">
          <ActionIcon
            size={24}
            aria-label={`Remove ${name}`}
            className={classes.remove}
            onClick={() => void remove()}
          >
            <IconX size={14} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

interface NewFieldProps {
  contact: Contact;
  /** The fields that the contact has. */
  taken: readonly string[];
  onChange: OnChange;
  onEnd: () => void;
}

/** Two fields for a name and a value. The names that other contacts have are offered. */
function NewField({ contact, taken, onChange, onEnd }: NewFieldProps) {
  const known = useQuery(queryOptionsFor(listFields)).data?.items ?? [];
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [error, setError] = useState<{ name?: string; value?: string }>({});
  const valueField = useRef<HTMLInputElement>(null);
  // As an import writes the names of columns, so that both are one field.
  const field = known.includes(name.trim()) ? name.trim() : name.trim().toLowerCase();
  const isChanged = field !== '' || value.trim() !== '';
  useEffect(() => holdWork({ noun: 'The new field', isChanged }));
  /** Saved, given up, or being saved: nothing is left behind. */
  const isSeenTo = useRef(false);
  const leave = useLeaveText(contact);
  const leaveBecause = (why: string) => leave(`attributes.${field}`, field, { text: value, seen: null, why });
  const isGone = useGone(() => {
    if (isSeenTo.current || field === '' || value.trim() === '' || taken.includes(field)) return;
    leaveBecause('It was left before it was saved.');
  });
  const end = () => {
    isSeenTo.current = true;
    onEnd();
  };
  const save = async () => {
    if (field === '') return setError({ name: 'Give the field a name.' });
    if (taken.includes(field)) return setError({ name: 'The contact has this field already.' });
    if (value.trim() === '') return setError({ value: 'Give the field a value.' });
    isSeenTo.current = true;
    try {
      await onChange(attribute(field, value), attribute(field, null));
      onEnd();
    } catch (failure) {
      isSeenTo.current = false;
      if (isGone.current) leaveBecause(words(failure));
      setError({ name: words(failure) });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') end();
    if (event.key === 'Enter' && event.target === valueField.current) void save();
  };
  return (
    <fieldset className={classes.newField} aria-label="New field" onKeyDown={onKeyDown}>
      <Autocomplete
        size="xs"
        label="Name of the field"
        data-mantine-stop-propagation
        autoFocus
        maxLength={longestAttributeName}
        data={known.filter((one) => !taken.includes(one))}
        value={name}
        error={error.name}
        onChange={(text) => {
          setName(text);
          setError({});
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') valueField.current?.focus();
        }}
        onOptionSubmit={() => valueField.current?.focus()}
      />
      <TextInput
        ref={valueField}
        size="xs"
        label="Value"
        data-mantine-stop-propagation
        autoComplete="off"
        maxLength={longestValue}
        value={value}
        error={error.value}
        onChange={({ currentTarget }) => {
          setValue(currentTarget.value);
          setError({});
        }}
      />
      <div className={classes.buttons}>
        <AsyncButton size="xs" variant="default" onClick={save}>
          Save the field
        </AsyncButton>
        <AsyncButton size="xs" variant="subtle" color="gray" onClick={end}>
          Cancel
        </AsyncButton>
      </div>
    </fieldset>
  );
}
