import { Button, Select, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import { formatTime } from '#platform/web/format.ts';
import { getTemplate, longestTemplateName, type Template } from '../../contract.ts';
import { categoryLabels, type TemplateCategory, templateCategories } from '../../rules/categories.ts';
import { needsEditor, tellFailed } from '../template-actions.ts';
import { CodePane } from './code-pane.tsx';
import type { Draft } from './content.ts';
import classes from './editor.module.css';
import { ModeSwitch } from './mode-switch.tsx';
import { parent } from './parent.ts';
import { PreviewDraft } from './preview-draft.tsx';
import { TestDialog } from './test-dialog.tsx';
import { type Editing, useEditing } from './use-editing.ts';
import { VisualPane } from './visual-pane.tsx';

interface TemplateEditorProps {
  template: Template | null;
  begin: Draft;
}

/** A template being written, in one of its three ways. */
export function TemplateEditor({ template, begin }: TemplateEditorProps) {
  const navigate = useNavigate();
  const editing = useEditing({
    template,
    begin,
    onCreated: ({ id }) => {
      guard.open();
      void navigate({ to: '/templates/$id', params: { id: String(id) }, replace: true });
    },
  });
  const { draft, change, save } = editing;
  const [isPreviewing, setPreviewing] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const guard = useLeaveGuard(editing.isChanged, 'The template');
  useHotkeys([['mod+S', () => void save()]], [], true);
  return (
    <Page
      title={template ? draft.name || template.name : 'New template'}
      parent={parent}
      purpose={<State editing={editing} />}
      actions={
        <>
          <ModeSwitch content={draft.content} onChange={(content) => change({ content })} />
          <Button
            variant="default"
            leftSection={<IconEye size={16} stroke={1.6} />}
            onClick={() => setPreviewing(true)}
          >
            Preview
          </Button>
          {template && (
            <MayEditButton
              variant="default"
              why={needsEditor}
              disabled={editing.isChanged}
              onClick={() => setTesting(true)}
            >
              Send test
            </MayEditButton>
          )}
          <MayEditButton why={needsEditor} onClick={() => save()}>
            {template ? 'Save Template' : 'Create Template'}
          </MayEditButton>
        </>
      }
    >
      <Refused template={template} editing={editing} />
      <Naming draft={draft} onChange={change} />
      {draft.content.mode === 'visual' ? (
        <VisualPane document={draft.content.document} onChange={change} />
      ) : (
        <CodePane draft={draft} onChange={change} />
      )}
      {isPreviewing && <PreviewDraft draft={draft} onClose={() => setPreviewing(false)} />}
      {template && isTesting && (
        <TestDialog template={{ id: template.id, name: draft.name }} onClose={() => setTesting(false)} />
      )}
      {guard.dialog}
    </Page>
  );
}

const State = ({ editing: { isChanged, savedAt } }: { editing: Editing }) => (
  <span role="status">
    {isChanged
      ? 'Not saved yet'
      : savedAt
        ? `Saved at ${formatTime(savedAt)}`
        : 'What your readers get, in one of three ways to write it'}
  </span>
);

interface NamingProps {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

const Naming = ({ draft, onChange }: NamingProps) => (
  <div className={classes.naming}>
    <TextInput
      label="Template Name"
      placeholder="Autumn news"
      maxLength={longestTemplateName}
      autoComplete="off"
      value={draft.name}
      onChange={({ currentTarget: { value: name } }) => onChange({ name })}
    />
    <Select
      label="Category"
      allowDeselect={false}
      data={templateCategories.map((value) => ({ value, label: categoryLabels[value] }))}
      value={draft.category}
      onChange={(category) => onChange({ category: (category ?? 'custom') as TemplateCategory })}
    />
    <TextInput
      label="Description (optional)"
      placeholder="What it is for"
      autoComplete="off"
      value={draft.description}
      onChange={({ currentTarget: { value: description } }) => onChange({ description })}
    />
  </div>
);

/** Why it was not saved, and what can be done about it. */
function Refused({ template, editing }: { template: Template | null; editing: Editing }) {
  const queryClient = useQueryClient();
  const { refusal, isOvertaken, save, take } = editing;
  if (refusal === null) return null;
  const takeTheirs = async () => {
    try {
      const params = { id: template?.id ?? 0 };
      const theirs = await call(getTemplate, { params });
      queryClient.setQueryData(queryOptionsFor(getTemplate, { params }).queryKey, theirs);
      take(theirs);
    } catch (error) {
      tellFailed(error, 'The newer version could not be loaded.');
    }
  };
  return (
    <Note
      tone="error"
      title="This was not saved"
      action={
        isOvertaken && (
          <div className={classes.choices}>
            <Button size="xs" variant="default" onClick={() => void takeTheirs()}>
              Take theirs
            </Button>
            <Button size="xs" variant="default" onClick={() => void save(true)}>
              Save mine over it
            </Button>
          </div>
        )
      }
    >
      {refusal}
      {isOvertaken && ' Theirs stays among the versions. What you have written is gone once you take theirs.'}
    </Note>
  );
}
