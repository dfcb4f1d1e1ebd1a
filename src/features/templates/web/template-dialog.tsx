import { Modal, Select, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine, ErrorState } from '#platform/web/components/states.tsx';
import {
  type Finding,
  getTemplate,
  longestTemplateName,
  type Template,
  type TemplatePreview,
} from '../contract.ts';
import { categoryLabels, type TemplateCategory, templateCategories } from '../rules/categories.ts';
import type { TemplateDocument } from '../rules/document/schema.ts';
import { CodeField } from './editor/code/code-field.tsx';
import type { CodeHandle } from './editor/code/code-handle.ts';
import { Inserting } from './editor/code/inserting.tsx';
import { selectLine } from './editor/code/select-line.ts';
import { useMergeFields } from './editor/pick-field.tsx';
import { LiveView, useLive } from './live-preview.tsx';
import { useLast } from './preview-dialog.tsx';
import classes from './templates.module.css';
import { usePreset } from './use-presets.ts';
import {
  blankFields,
  fieldsOf,
  type TemplateFields,
  type TemplateForm,
  useTemplateForm,
} from './use-template-form.ts';

const width = 1080;

interface NewDialogProps {
  opened: boolean;
  /** The preset to begin with. */
  use: string | undefined;
  onClose: () => void;
}

/** Writes a new template, from nothing or from a preset. */
export function NewDialog({ opened, use, onClose }: NewDialogProps) {
  const preset = usePreset(use);
  // Without it, an unknown preset in the address would hide the dialog for ever.
  const begin = preset ? fieldsOf({ ...preset }) : blankFields;
  return (
    <FieldsDialog
      key={`${opened} ${preset?.id}`}
      opened={opened}
      template={null}
      begin={begin}
      document={preset?.document}
      onClose={onClose}
    />
  );
}

interface EditDialogProps {
  id: number | undefined;
  onClose: () => void;
}

/**
 * Changes a template. It is read anew, so that its newest version is what one begins with. One that
 * is not written in HTML has its editor on a page of its own.
 */
export function EditDialog({ id, onClose }: EditDialogProps) {
  const shownId = useLast(id);
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(getTemplate, { params: { id: shownId ?? 0 } }),
    enabled: id !== undefined,
    staleTime: 0,
  });
  const read = id !== undefined && data?.id === id && isFetchedAfterMount ? data : undefined;
  const navigate = useNavigate();
  const elsewhere = read && read.mode !== 'html' ? String(read.id) : undefined;
  useEffect(() => {
    if (elsewhere) void navigate({ to: '/templates/$id', params: { id: elsewhere }, replace: true });
  }, [elsewhere]);
  const template = useLast(read?.mode === 'html' ? read : undefined);
  if (template && template.id === shownId)
    return (
      <FieldsDialog
        key={`${template.id} ${id === undefined}`}
        opened={id !== undefined}
        template={template}
        begin={fieldsOf({ ...template })}
        onClose={onClose}
      />
    );
  return (
    <Modal opened={id !== undefined} onClose={onClose} title="Edit Email Template" size={width}>
      {error ? (
        <ErrorState title="The template could not be loaded" error={error} />
      ) : (
        <Skeleton height={520} />
      )}
    </Modal>
  );
}

interface FieldsDialogProps {
  opened: boolean;
  template: Template | null;
  begin: TemplateFields;
  /** What a preset is made of. */
  document?: TemplateDocument | undefined;
  onClose: () => void;
}

/** The form. What one has typed is not thrown away without asking. */
function FieldsDialog({ opened, template, begin: given, document, onClose }: FieldsDialogProps) {
  // The list is read again while people type. What they began with stays.
  const [begin] = useState(given);
  const navigate = useNavigate();
  const form = useTemplateForm({
    template,
    begin,
    document,
    onDone: (made) => {
      if (made?.isVisual) void navigate({ to: '/templates/$id', params: { id: String(made.id) } });
      else onClose();
    },
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      isChanged={form.isChanged}
      title={template ? 'Edit Email Template' : 'Create Email Template'}
      width={width}
      submitLabel={template ? 'Save Template' : 'Create Template'}
      pendingLabel={template ? 'Saving...' : 'Creating...'}
      pending={form.pending}
      error={form.refusal}
      onSubmit={() => void form.save(false)}
    >
      <Writing form={form} />
      {template && (
        <p className={classes.hint}>
          Saving makes a new version.{' '}
          <TextButton disabled={form.pending} onClick={() => void form.save(true)}>
            Save as a new template
          </TextButton>{' '}
          <TextLink to={`/templates/${template.id}`}>Open in the editor</TextLink>
        </p>
      )}
    </FormDialog>
  );
}

/** The fields, and the email beside them. */
function Writing({ form }: { form: TemplateForm }) {
  const code = useRef<CodeHandle>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const { name, htmlContent, textContent } = form.values;
  const live = useLive({ htmlContent, textContent });
  const goTo = ({ part, line, column }: Finding) => {
    if (line === null) return;
    if (part === 'text') selectLine(textField.current, line);
    else code.current?.goTo(line, column);
  };
  return (
    <div className={`${classes.writing} ${classes.inDialog}`}>
      <Fields form={form} preview={live.current} code={code} textField={textField} />
      <LiveView name={name} live={live} onGo={goTo} />
    </div>
  );
}

interface FieldsProps {
  form: TemplateForm;
  preview: TemplatePreview | undefined;
  code: RefObject<CodeHandle | null>;
  textField: RefObject<HTMLTextAreaElement | null>;
}

const noFields: never[] = [];

function Fields({ form: { values, errors, change }, preview, code, textField }: FieldsProps) {
  const { data, error } = useMergeFields();
  const fields = data?.items ?? noFields;
  return (
    <div className={classes.fields}>
      <div className={classes.nameAndCategory}>
        <TextInput
          label="Template Name"
          data-autofocus
          maxLength={longestTemplateName}
          autoComplete="off"
          value={values.name}
          error={errors.name}
          onChange={({ currentTarget: { value: name } }) => change({ name })}
        />
        <Select
          label="Category"
          allowDeselect={false}
          data={templateCategories.map((value) => ({ value, label: categoryLabels[value] }))}
          value={values.category}
          error={errors.category}
          onChange={(category) => change({ category: (category ?? 'custom') as TemplateCategory })}
        />
      </div>
      <TextInput
        label="Description"
        description="Optional: what it is for."
        autoComplete="off"
        value={values.description}
        error={errors.description}
        onChange={({ currentTarget: { value: description } }) => change({ description })}
      />
      <CodeField
        label="HTML Content"
        isMjml={false}
        text={values.htmlContent}
        error={errors.htmlContent}
        onChange={(htmlContent) => change({ htmlContent })}
        fields={fields}
        preview={preview}
        handle={code}
      />
      <Inserting isMjml={false} code={code} />
      {error && <ErrorLine title="The fields could not be loaded." error={error} />}
      <Textarea
        ref={textField}
        label="Text Content"
        description="Optional: what readers without HTML see."
        rows={5}
        classNames={{ input: classes.code }}
        value={values.textContent}
        error={errors.textContent}
        onChange={({ currentTarget: { value: textContent } }) => change({ textContent })}
      />
    </div>
  );
}
