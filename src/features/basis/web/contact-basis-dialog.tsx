import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Contact, getContact } from '#features/contacts/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call, isChangedMeanwhile, queryOptionsFor, words } from '#platform/web/api.ts';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { setBasisOfContact } from '../contract.ts';
import { BasisFields, type BasisForm, saidIn } from './basis-fields.tsx';
import { inWords } from './basis-words.ts';

interface ContactBasisDialogProps {
  contact: Contact;
  opened: boolean;
  onClose: () => void;
}

const formOf = ({ marketing: { basis, source, givenOn } }: Contact): BasisForm => ({
  basis,
  source: source ?? '',
  givenOn,
});

/** Says on what basis one contact may get marketing. */
export function ContactBasisDialog({ contact, opened, onClose }: ContactBasisDialogProps) {
  const queryClient = useQueryClient();
  const [seen, setSeen] = useState(() => formOf(contact));
  const [form, setForm] = useState(seen);
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (!opened) return;
    setSeen(formOf(contact));
    setForm(formOf(contact));
    setError(null);
  }, [opened]);
  const params = { id: contact.id };
  /** Whoever saves once more has read what somebody else has said meanwhile. */
  const seeAnew = async () => {
    const now = await queryClient.fetchQuery({ ...queryOptionsFor(getContact, { params }), staleTime: 0 });
    setSeen(formOf(now));
    void refreshContacts(queryClient);
  };
  const save = async () => {
    setPending(true);
    try {
      const after = await call(setBasisOfContact, {
        params,
        body: { ...saidIn(form), expected: saidIn(seen) },
      });
      queryClient.setQueryData(queryOptionsFor(getContact, { params }).queryKey, after);
      void refreshContacts(queryClient);
      toastDone({ title: 'Marketing Basis Set', message: `${after.address}: ${inWords(after.marketing)}.` });
      onClose();
    } catch (failure) {
      const why = words(failure, 'It could not be saved. Please try again.');
      setError(why);
      if (!isChangedMeanwhile(failure)) return;
      await seeAnew().then(
        () => setError(`${why} Save again to replace it.`),
        () => undefined,
      );
    } finally {
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Marketing basis"
      submitLabel="Save marketing basis"
      pending={pending}
      isChanged={hasChanges(seen, form)}
      error={error}
      onSubmit={() => void save()}
    >
      <BasisFields
        form={form}
        onChange={(some) => {
          setForm((before) => ({ ...before, ...some }));
          setError(null);
        }}
      />
    </FormDialog>
  );
}
