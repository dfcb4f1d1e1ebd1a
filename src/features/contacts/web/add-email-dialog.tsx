import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidEmailMessage, looksLikeEmail } from '#features/addresses/rules.ts';
import { ApiError, call } from '#platform/web/api.ts';
import type { DialogProps } from '#platform/web/components/deferred.tsx';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { addContact } from '../contract.ts';
import { longestPartOfName } from '../rules/contact-change.ts';
import { refreshContacts } from './refresh.ts';

const blank = { email: '', firstName: '', lastName: '', notes: '', checkSuppressions: true };

/**
 * Adds one address by hand. Opens empty each time. The server's refusal is shown under the field.
 */
export function AddEmailDialog({ opened, onClose }: DialogProps) {
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(blank);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (!opened) return;
    setValues(blank);
    setError(null);
  }, [opened]);

  const { email, firstName, lastName, notes, checkSuppressions } = values;
  const refuse = (message: string) => {
    setError(message);
    field.current?.focus();
  };
  const submit = async () => {
    if (!looksLikeEmail(email)) return refuse(invalidEmailMessage);
    setPending(true);
    try {
      await call(addContact, {
        body: {
          email: email.trim(),
          firstName: firstName.trim() || null,
          lastName: lastName.trim() || null,
          notes: notes.trim() || null,
          checkSuppressions,
        },
      });
      onClose();
      toastDone({ title: 'Email Added', message: 'The email address has been added to the database.' });
      void refreshContacts(queryClient);
    } catch (failure) {
      refuse(messageOf(failure));
    } finally {
      setPending(false);
    }
  };

  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add New Email Address"
      submitLabel="Add Email"
      pendingLabel="Adding..."
      pending={pending}
      isChanged={[email, firstName, lastName, notes].some((text) => text.trim() !== '')}
      onSubmit={() => void submit()}
    >
      <TextInput
        ref={field}
        data-autofocus
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        placeholder="name@company.co.uk"
        value={values.email}
        error={error}
        onChange={({ currentTarget: { value: email } }) => {
          setValues((before) => ({ ...before, email }));
          setError(null);
        }}
      />
      <NameFields values={values} onChange={(names) => setValues((before) => ({ ...before, ...names }))} />
      <Textarea
        label="Notes (optional)"
        placeholder="Where the address came from, or anything worth knowing"
        rows={2}
        maxLength={10_000}
        value={values.notes}
        onChange={({ currentTarget: { value: notes } }) => setValues((before) => ({ ...before, notes }))}
      />
      <Checkbox
        label="Check against the suppression list"
        checked={values.checkSuppressions}
        onChange={({ currentTarget: { checked } }) =>
          setValues((before) => ({ ...before, checkSuppressions: checked }))
        }
      />
    </FormDialog>
  );
}

type NameValues = Pick<typeof blank, 'firstName' | 'lastName'>;

interface NameFieldsProps {
  values: NameValues;
  onChange: (names: Partial<NameValues>) => void;
}

function NameFields({ values, onChange }: NameFieldsProps) {
  return (
    <SimpleGrid cols={2} spacing="sm">
      <TextInput
        label="First name (optional)"
        autoComplete="off"
        maxLength={longestPartOfName}
        value={values.firstName}
        onChange={({ currentTarget }) => onChange({ firstName: currentTarget.value })}
      />
      <TextInput
        label="Last name (optional)"
        autoComplete="off"
        maxLength={longestPartOfName}
        value={values.lastName}
        onChange={({ currentTarget }) => onChange({ lastName: currentTarget.value })}
      />
    </SimpleGrid>
  );
}

function messageOf(failure: unknown): string {
  const fallback = 'Failed to add email. Please try again.';
  if (!(failure instanceof ApiError)) return fallback;
  return failure.fields.email ?? failure.serverMessage ?? fallback;
}
