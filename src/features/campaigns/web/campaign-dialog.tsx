import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ChosenSender, SenderSelect } from '#features/senders/web/index.ts';
import { call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  type Campaign,
  type CampaignAudience,
  createCampaign,
  longestCampaignName,
  longestSubject,
  updateCampaign,
} from '../contract.ts';
import type { WrittenTemplate } from '../rules/campaign.ts';
import { subjectHint } from '../rules/line-length.ts';
import { AudienceFields } from './audience-fields.tsx';
import { templateOptions } from './campaign-words.ts';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

interface Values {
  name: string;
  subject: string;
  content: string;
  template: WrittenTemplate | null;
  audience: CampaignAudience;
  sender: ChosenSender;
}

const blank: Values = {
  name: '',
  subject: '',
  content: '',
  template: null,
  audience: { include: [], exclude: [] },
  sender: { fromName: null, fromAddress: null, replyTo: null },
};

interface CampaignDialogProps {
  /** Null while it is closed. */
  asked: 'new' | Campaign | null;
  onClose: () => void;
}

/** Writes a new campaign, or changes one that is not sent yet. */
export function CampaignDialog({ asked, onClose }: CampaignDialogProps) {
  return (
    <Form
      key={asked === null || asked === 'new' ? String(asked) : asked.id}
      asked={asked}
      onClose={onClose}
    />
  );
}

function Form({ asked, onClose }: CampaignDialogProps) {
  const isNew = asked === 'new' || asked === null;
  const [values, setValues] = useState<Values>(() => (isNew ? blank : valuesOf(asked)));
  const [pending, setPending] = useState(false);
  const refresh = useRefreshCampaigns();
  const change = (patch: Partial<Values>) => setValues((before) => ({ ...before, ...patch }));
  const { name, subject, content, template, audience, sender } = values;
  const isReady =
    name.trim() !== '' && subject.trim() !== '' && content.trim() !== '' && (!isNew || template !== null);
  const submit = async () => {
    setPending(true);
    try {
      if (isNew) {
        await call(createCampaign, {
          body: { name, subject, content, audience, ...sender, template: template ?? 'simple' },
        });
        toastDone({ title: 'Campaign Created', message: `${name} is a draft.` });
        setValues(blank);
      } else {
        const { id, updatedAt } = asked;
        const own = template === null ? {} : { template };
        await call(updateCampaign, {
          params: { id },
          body: { name, subject, content, audience, ...sender, updatedAt, ...own },
        });
        toastDone({ title: 'Campaign Updated', message: `${name} is saved.` });
      }
      onClose();
    } catch (error) {
      const message = isNew ? 'Failed to create campaign. Please try again.' : 'Failed to save campaign';
      toastFailed({ title: 'Error', message: words(error, message) });
    }
    setPending(false);
    await refresh();
  };
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Create Campaign' : `Edit ${asked.name}`}
      submitLabel={isNew ? 'Create' : 'Save'}
      pendingLabel={isNew ? 'Creating...' : 'Saving...'}
      pending={pending}
      submitDisabled={!isReady}
      onSubmit={() => void submit()}
      width={640}
    >
      <TextInput
        data-autofocus
        label="Campaign Name"
        placeholder="November newsletter"
        maxLength={longestCampaignName}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Subject"
        placeholder="What is new this month"
        description={subjectHint(subject)}
        maxLength={longestSubject}
        autoComplete="off"
        value={subject}
        onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
      />
      <SenderSelect value={sender} onChange={(chosen) => change({ sender: chosen })} />
      {(isNew || asked.template !== 'custom') && (
        <Select
          label="Template"
          placeholder="Choose a template"
          data={templateOptions}
          value={template}
          allowDeselect={false}
          onChange={(value) => change({ template: value as WrittenTemplate })}
        />
      )}
      <Textarea
        label="Content"
        placeholder={'Dear {{ first_name | default: "friend" }}, …'}
        description="Plain text or HTML. Who writes and how to leave is added at the end."
        rows={8}
        value={content}
        onChange={({ currentTarget }) => change({ content: currentTarget.value })}
      />
      {asked !== null && (
        <AudienceFields value={audience} onChange={(value) => change({ audience: value })} />
      )}
    </FormDialog>
  );
}

const valuesOf = ({ name, subject, content, template, audience, ...rest }: Campaign): Values => ({
  ...{ name, subject, content, audience },
  sender: { fromName: rest.fromName, fromAddress: rest.fromAddress, replyTo: rest.replyTo },
  template: template === 'custom' ? null : template,
});
