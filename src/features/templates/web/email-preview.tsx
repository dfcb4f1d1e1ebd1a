import { useState } from 'react';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { ContactChoice } from './contact-choice.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { SampleSender } from './sample-sender.tsx';
import classes from './templates.module.css';
import { sourceOf } from './thumbnail.tsx';
import { useFilled } from './use-filled.ts';

export interface EmailPreviewProps {
  name: string;
  /** Who writes, as mail programs list it. */
  from: string;
  subject: string;
  preheader: string;
  htmlContent: string;
  textContent: string | null;
}

/** A whole message as a contact gets it: its line in the list of a mail program, and itself. */
export function EmailPreview({ name, from, ...message }: EmailPreviewProps) {
  const [contactId, setContactId] = useState<number>();
  const { data, error } = useFilled({ ...message, contactId });
  return (
    <div className={classes.filled}>
      <div className={classes.inbox}>
        <b>{from}</b>
        <span className={classes.inboxSubject}>{data?.subject ?? message.subject}</span>
        {data?.preheader && <span className={classes.inboxWords}>{data.preheader}</span>}
      </div>
      <PreviewFrame
        name={name}
        first="Phone"
        source={sourceOf(data?.html ?? '')}
        dark={sourceOf(data?.html ?? '', true)}
        text={data?.text ?? ''}
        aside={<ContactChoice chosen={data?.contact} onChoose={setContactId} />}
      />
      <SampleSender preview={data} />
      {error && <ErrorLine title="The email could not be filled." error={error} />}
    </div>
  );
}
