import { ActionIcon, NumberInput, Select, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SenderSelect } from '#features/senders/web/index.ts';
import { getTemplate, listTemplates } from '#features/templates/contract.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { Difference } from '../../../contract/ab-test.ts';
import { longestSubject } from '../../../contract.ts';
import { subjectHint } from '../../../rules/line-length.ts';
import type { Draft } from '../draft.ts';
import classes from './ab-test.module.css';
import type { VariantDraft } from './test-draft.ts';

interface FieldProps {
  name: string;
  variant: VariantDraft;
  onChange: (patch: Partial<VariantDraft>) => void;
}

interface Props extends FieldProps {
  differs: Difference;
  writing: Draft['writing'];
  /** Null: it is the only one beside A. */
  onRemove: (() => void) | null;
}

/** What is different in one variant. */
export const VariantFields = ({ differs, writing, onRemove, ...field }: Props) => (
  <div className={classes.fields}>
    {differs === 'subject' && <SubjectFields {...field} />}
    {differs === 'sender' && (
      <SenderSelect value={field.variant.sender} onChange={(sender) => field.onChange({ sender })} />
    )}
    {differs === 'content' &&
      (writing === 'words' ? <WordsField {...field} /> : <TemplateField {...field} />)}
    {differs === 'hour' && <HourField {...field} />}
    {onRemove && (
      <Tooltip label={`Remove variant ${field.name}`}>
        <ActionIcon
          className={classes.remove}
          variant="subtle"
          aria-label={`Remove variant ${field.name}`}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    )}
  </div>
);

const SubjectFields = ({ name, variant: { subject, preheader }, onChange }: FieldProps) => (
  <>
    <TextInput
      label={`Subject ${name}`}
      description={subjectHint(subject)}
      inputWrapperOrder={['label', 'input', 'description']}
      maxLength={longestSubject}
      autoComplete="off"
      value={subject}
      onChange={({ currentTarget: { value } }) => onChange({ subject: value })}
    />
    <TextInput
      label={`Preheader ${name} (optional)`}
      maxLength={longestSubject}
      autoComplete="off"
      value={preheader}
      onChange={({ currentTarget: { value } }) => onChange({ preheader: value })}
    />
  </>
);

const WordsField = ({ name, variant: { content }, onChange }: FieldProps) => (
  <Textarea
    className={classes.wide}
    label={`Content ${name}`}
    autosize
    minRows={4}
    maxRows={20}
    value={content}
    onChange={({ currentTarget: { value } }) => onChange({ content: value })}
  />
);

/** A design of its own comes from a template of the workspace, as a copy. */
function TemplateField({ name, variant: { content, copiedFrom }, onChange }: FieldProps) {
  const { data } = useQuery(
    queryOptionsFor(listTemplates, { query: { limit: 100, content: 'false' as never } }),
  );
  /** Null once the field is closed: the content would come into other words. */
  const newest = useRef<string | null>(null);
  useEffect(
    () => () => {
      newest.current = null;
    },
    [],
  );
  const copy = async (id: string) => {
    newest.current = id;
    try {
      const template = await call(getTemplate, { params: { id: Number(id) } });
      if (newest.current !== id) return;
      onChange({ content: template.htmlContent, copiedFrom: id });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'The template could not be loaded.') });
    }
  };
  return (
    <Select
      className={classes.wide}
      label={`Design ${name}`}
      description={
        content === ''
          ? 'Copied from a template. Later changes to it leave the campaign alone.'
          : 'The campaign has a copy of its own. Choose again to copy anew.'
      }
      inputWrapperOrder={['label', 'input', 'description']}
      placeholder={content === '' ? 'Choose a template' : 'A copy of a template'}
      searchable
      nothingFoundMessage="No template has this name"
      data={(data?.items ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
      value={copiedFrom}
      onChange={(id) => void (id !== null && copy(id))}
    />
  );
}

const HourField = ({ name, variant: { delayHours }, onChange }: FieldProps) => (
  <NumberInput
    label={`Variant ${name} leaves later by`}
    suffix={delayHours === 1 ? ' hour' : ' hours'}
    {...{ min: 1, max: 23, clampBehavior: 'strict', allowDecimal: false, allowNegative: false }}
    value={delayHours}
    onChange={(value) => onChange({ delayHours: value === '' ? '' : Number(value) })}
  />
);
