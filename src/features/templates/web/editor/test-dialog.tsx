import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { getTemplate, sendTest, type TemplatePreview } from '../../contract.ts';
import { SampleSender } from '../sample-sender.tsx';
import { TestForm } from '../test-form.tsx';
import { useFilled } from '../use-filled.ts';
import { usePickField } from './pick-field.tsx';
import { SubjectField } from './subject-field.tsx';

interface TestDialogProps {
  template: { id: number; name: string };
  onClose: () => void;
}

/** Sends the saved template to people of the workspace, filled as one contact would get it. */
export function TestDialog({ template: { id, name }, onClose }: TestDialogProps) {
  const { pickField, picker } = usePickField();
  const [subject, setSubject] = useState('');
  const fault = useSubjectFault(subject);
  const stored = useStored(id);
  return (
    <>
      <TestForm
        hint="People of this workspace."
        send={(to, contactId) => {
          const body = { to, ...(subject.trim() ? { subject } : {}), ...(contactId ? { contactId } : {}) };
          return call(sendTest, { params: { id }, body });
        }}
        onClose={onClose}
        note={<SampleSender preview={stored} />}
      >
        <SubjectField
          description="It begins with [Test]. Left empty, it is the template’s name."
          placeholder={name}
          value={subject}
          error={fault}
          onChange={setSubject}
          pickField={pickField}
        />
      </TestForm>
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
