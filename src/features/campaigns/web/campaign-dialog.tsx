import { Select, Textarea, TextInput } from '@mantine/core';
import { SenderSelect } from '#features/senders/web/index.ts';
import { words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { type Campaign, longestCampaignName, longestSubject } from '../contract.ts';
import { subjectHint } from '../rules/line-length.ts';
import { AudienceFields } from './audience-fields.tsx';
import { templateOptions } from './campaign-words.ts';
import classes from './campaigns.module.css';
import { useBeginnings } from './use-beginnings.ts';
import { type CampaignForm, type CampaignStart, useCampaignForm } from './use-campaign-form.ts';
import { useMayChange } from './use-may-change.ts';

interface CampaignDialogProps {
  /** Null while it is closed. */
  asked: 'new' | Campaign | null;
  start?: CampaignStart;
  onClose: () => void;
}

/** Writes a new campaign, or changes one that is not sent yet. */
export function CampaignDialog({ asked, start = {}, onClose }: CampaignDialogProps) {
  if (asked === null || asked === 'new')
    return <Form key={`${asked} ${start.to} ${start.with}`} {...{ asked, campaign: null, start, onClose }} />;
  return <Form key={asked.id} {...{ asked, campaign: asked, start, onClose }} />;
}

const left =
  'This campaign is on its way already, and cannot be changed any more. Copy from here what you want to keep.';

interface FormProps extends Required<CampaignDialogProps> {
  /** Null: a new one. */
  campaign: Campaign | null;
}

function Form({ asked, campaign, start, onClose }: FormProps) {
  const form = useCampaignForm({ campaign, start, onClose });
  const { values, change } = form;
  const hasLeft = campaign !== null && campaign.sentAt !== null;
  const { mayChange, why } = useMayChange(campaign?.status ?? 'draft');
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={campaign ? `Edit ${campaign.name}` : 'Create Campaign'}
      submitLabel={campaign ? 'Save' : 'Create'}
      pendingLabel={campaign ? 'Saving...' : 'Creating...'}
      pending={form.pending}
      error={hasLeft ? left : mayChange ? form.refusal : why}
      isChanged={form.isChanged}
      submitDisabled={hasLeft || !mayChange || !form.isReady}
      onSubmit={() => void form.submit()}
      width={640}
    >
      <TextInput
        data-autofocus
        label="Campaign Name"
        placeholder="November newsletter"
        maxLength={longestCampaignName}
        autoComplete="off"
        value={values.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Subject"
        placeholder="What is new this month"
        description={subjectHint(values.subject)}
        maxLength={longestSubject}
        autoComplete="off"
        value={values.subject}
        onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
      />
      <SenderSelect value={values.sender} onChange={(sender) => change({ sender })} />
      {asked !== null && !form.isDesigned && <TemplateField form={form} withBeginnings={campaign === null} />}
      <ContentField form={form} />
      {asked !== null && (
        <AudienceFields value={values.audience} onChange={(audience) => change({ audience })} />
      )}
    </FormDialog>
  );
}

/** How it looks: a layout for the words below, or an email that it begins with. */
function TemplateField({ form, withBeginnings }: { form: CampaignForm; withBeginnings: boolean }) {
  const { groups, error } = useBeginnings();
  const layouts = { group: 'Layouts for your words', items: templateOptions };
  return (
    <>
      <Select
        label="Template"
        placeholder="Choose a template"
        data={withBeginnings ? [layouts, ...groups] : templateOptions}
        searchable={withBeginnings}
        nothingFoundMessage="No template has this name"
        value={form.values.template}
        allowDeselect={false}
        onChange={(template) => form.change({ template })}
      />
      {withBeginnings && error && (
        <ErrorLine title={words(error, 'Your templates could not be loaded')} error={error} />
      )}
    </>
  );
}

function ContentField({ form: { values, change, isBegun, isDesigned } }: { form: CampaignForm }) {
  if (isBegun)
    return (
      <p className={classes.count}>
        The campaign gets a copy of this email. You go on with it in the editor.
      </p>
    );
  if (isDesigned)
    return <p className={classes.count}>It has a design of its own, which the editor changes.</p>;
  return (
    <Textarea
      label="Content"
      placeholder={'Dear {{ first_name | default: "friend" }}, …'}
      description="Plain text or HTML. Who writes and how to leave is added at the end."
      rows={8}
      value={values.content}
      onChange={({ currentTarget }) => change({ content: currentTarget.value })}
    />
  );
}
