import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listMembers } from '#features/team/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { mostTestAddresses } from '../../contract/test-send.ts';
import { getTemplate, sendTest, type TemplatePreview } from '../../contract.ts';
import { ContactChoice } from '../contact-choice.tsx';
import { SampleSender } from '../sample-sender.tsx';
import { useFilled } from '../use-filled.ts';
import { usePickField } from './pick-field.tsx';
import { SubjectField } from './subject-field.tsx';

interface TestDialogProps {
  template: { id: number; name: string };
  onClose: () => void;
}

/** Sends the saved template to people of the workspace, filled as one contact would get it. */
export function TestDialog({ template, onClose }: TestDialogProps) {
  const { data: members } = useQuery(queryOptionsFor(listMembers));
  const me = useCurrentUser().email;
  const [to, setTo] = useState<string[]>([me]);
  const { pickField, picker } = usePickField();
  const [subject, setSubject] = useState('');
  const fault = useSubjectFault(subject);
  const stored = useStored(template.id);
  const [contact, setContact] = useState<TemplatePreview['contact']>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const body = {
        to,
        ...(subject.trim() ? { subject } : {}),
        ...(contact ? { contactId: contact.id } : {}),
      };
      const { sent, isKept } = await call(sendTest, { params: { id: template.id }, body });
      const said = `${formatCount(sent, 'test')} ${isKept ? `${sent === 1 ? 'waits' : 'wait'} in the outbox: there is no mail server.` : 'on the way.'}`;
      toastDone({ title: 'Test Sent', message: said });
      onClose();
    } catch (failure) {
      setError(words(failure, 'The test could not be sent.'));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
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
          description="People of this workspace."
          data-autofocus
          searchable
          maxValues={mostTestAddresses}
          data={[...new Set([...(members ?? []).map(({ email }) => email), ...to])]}
          value={to}
          onChange={setTo}
        />
        <SubjectField
          description="It begins with [Test]. Left empty, it is the template’s name."
          placeholder={template.name}
          value={subject}
          error={fault}
          onChange={setSubject}
          pickField={pickField}
        />
        <ContactChoice
          chosen={contact}
          onChoose={(id, address = '') =>
            setContact(id === undefined ? undefined : { id, address, name: null })
          }
        />
        <SampleSender preview={stored} />
      </FormDialog>
      {/* Beside the form: what is chosen in it is not the test that is sent. */}
      {picker}
    </>
  );
}

/** The template as it is stored, filled. A test is of that. */
function useStored(id: number): TemplatePreview | undefined {
  const { data: stored } = useQuery(queryOptionsFor(getTemplate, { params: { id } }));
  const content = stored && { htmlContent: stored.htmlContent, textContent: stored.textContent };
  return useFilled(content ?? null).data;
}

/** What is wrong with the merge fields of a subject, a moment after the last key. */
function useSubjectFault(subject: string): string | undefined {
  const [settled] = useDebouncedValue(subject, 300);
  const hasFields = /\{[{%]/.test(settled);
  const { data } = useFilled(
    hasFields ? { htmlContent: '<p></p>', textContent: null, subject: settled } : null,
  );
  if (!hasFields || settled !== subject) return undefined;
  return [...(data?.problems ?? []), ...(data?.warnings ?? [])].find(({ part }) => part === 'subject')?.words;
}
