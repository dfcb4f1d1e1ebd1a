import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { isSenderAddress, notSenderAddress } from '#features/addresses/rules/sender-address.ts';
import { SenderSelect } from '#features/senders/web/index.ts';
import { Card } from '#platform/web/components/card.tsx';
import { longestCampaignName, longestSubject } from '../../contract.ts';
import { preheaderHint, subjectHint } from '../../rules/line-length.ts';
import { type Draft, withPreheader } from './draft.ts';
import classes from './editor.module.css';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

/** So that fields beside each other stand in line, however long their words are. */
const belowInput: ('label' | 'input' | 'description')[] = ['label', 'input', 'description'];

/** What readers see of a campaign in their inbox, and what it is called here. */
export function LinesCard({ draft, onChange }: Props) {
  const { name, subject, preheader, sender, design } = draft;
  return (
    <Card title="In the inbox">
      <div className={classes.fields}>
        <TextInput
          inputWrapperOrder={belowInput}
          label="Campaign Name"
          description="Only people of this workspace see it."
          maxLength={longestCampaignName}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        />
        <SenderSelect value={sender} onChange={(chosen) => onChange({ sender: chosen })} />
        <TextInput
          inputWrapperOrder={belowInput}
          label="Subject"
          description={subjectHint(subject)}
          maxLength={longestSubject}
          autoComplete="off"
          value={subject}
          onChange={({ currentTarget: { value } }) => onChange({ subject: value })}
        />
        <ReplyTo sender={sender} onChange={onChange} />
        <TextInput
          className={classes.wide}
          inputWrapperOrder={belowInput}
          label="Preheader (optional)"
          description={preheaderHint(preheader)}
          maxLength={longestSubject}
          autoComplete="off"
          value={preheader}
          onChange={({ currentTarget: { value } }) =>
            onChange({ preheader: value, design: design && withPreheader(design, value) })
          }
        />
      </div>
    </Card>
  );
}

/** While somebody types, an address is not wrong yet. */
function ReplyTo({ sender, onChange }: Pick<Draft, 'sender'> & Pick<Props, 'onChange'>) {
  const [isTyped, setTyped] = useState(false);
  const replyTo = sender.replyTo ?? '';
  const isWrong = replyTo.trim() !== '' && !isSenderAddress(replyTo.trim());
  return (
    <TextInput
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      label="Reply to (optional)"
      description="Where answers go. Empty: to the sender."
      error={isWrong && !isTyped && notSenderAddress}
      type="email"
      maxLength={254}
      autoComplete="off"
      value={replyTo}
      onBlur={() => setTyped(false)}
      onChange={({ currentTarget: { value } }) => {
        setTyped(true);
        onChange({ sender: { ...sender, replyTo: value === '' ? null : value } });
      }}
    />
  );
}
