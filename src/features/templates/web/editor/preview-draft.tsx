import { Modal } from '@mantine/core';
import { useState } from 'react';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { ContactChoice } from '../contact-choice.tsx';
import { Findings } from '../findings.tsx';
import { PreviewFrame } from '../preview-frame.tsx';
import { SampleSender } from '../sample-sender.tsx';
import classes from '../templates.module.css';
import { sourceOf } from '../thumbnail.tsx';
import { useFilled } from '../use-filled.ts';
import { type Draft, writtenIn } from './content.ts';

interface PreviewDraftProps {
  draft: Draft;
  onClose: () => void;
}

/** What is written, saved or not, as a contact would get it. */
export function PreviewDraft({ draft, onClose }: PreviewDraftProps) {
  const [contactId, setContactId] = useState<number>();
  const { name, content, textContent } = draft;
  const { data, error } = useFilled({ ...writtenIn(content), textContent, contactId });
  return (
    <Modal opened onClose={onClose} title={`Template Preview: ${name || 'New template'}`} size={780}>
      <div className={classes.filled}>
        <PreviewFrame
          name={name || 'the template'}
          source={sourceOf(data?.html ?? '')}
          dark={sourceOf(data?.html ?? '', true)}
          text={data?.text ?? ''}
          aside={<ContactChoice chosen={data?.contact} onChoose={setContactId} />}
        />
        <SampleSender preview={data} />
        {error ? (
          <ErrorLine title="The email could not be filled." error={error} />
        ) : (
          <Findings preview={data} />
        )}
      </div>
    </Modal>
  );
}
