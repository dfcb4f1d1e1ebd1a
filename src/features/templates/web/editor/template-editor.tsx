import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconEye, IconHistory } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { PassingNotes } from '#platform/web/components/passing-notes.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import type { Template } from '../../contract.ts';
import { needsEditor } from '../template-actions.ts';
import { VersionsDialog } from '../versions-dialog.tsx';
import { CodePane } from './code-pane.tsx';
import type { Draft } from './content.ts';
import classes from './editor.module.css';
import { NeverSaved, Refused } from './editor-notes.tsx';
import { useKeptTemplate } from './kept-template.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { Naming } from './naming.tsx';
import { parent } from './parent.ts';
import { Company } from './presence/company.tsx';
import { usePresence } from './presence/use-presence.ts';
import { PreviewDraft } from './preview-draft.tsx';
import { SaveState } from './save-state.tsx';
import { TestDialog } from './test-dialog.tsx';
import { type Editing, noteStored, useEditing } from './use-editing.ts';
import { useNewer } from './use-newer.ts';
import { VisualPane } from './visual-pane.tsx';

interface TemplateEditorProps {
  /** Null: a new one is made. */
  template: Template | null;
  begin: Draft;
  /** It was new and has an address of its own now. */
  onCreated: (id: number) => void;
}

type Dialog = 'preview' | 'test' | 'versions';

/** A template being written, in one of its three ways. */
export function TemplateEditor({ template: begun, begin, onCreated }: TemplateEditorProps) {
  const editing = useEditing({ template: begun, begin });
  const { draft, stored: template, isChanged, saver } = editing;
  const kept = useKeptTemplate(editing);
  const presence = usePresence(template?.id);
  const newer = useNewer(editing, presence);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const guard = useLeaveGuard(isChanged, 'The template', {
    save: () => saver.save('needed'),
    keep: kept.keep,
    onLeave: kept.drop,
  });
  useOwnAddress(begun === null ? template : null, (id) => {
    guard.open();
    onCreated(id);
  });
  // In fields and in words that are written in place, too.
  useHotkeys([['mod+S', () => void saver.save('asked')]], [], true);
  return (
    <Page
      title={template ? draft.name || template.name : 'New template'}
      parent={parent}
      purpose={
        <span className={classes.state}>
          <SaveState editing={editing} isKept={kept.isKept} />
          <Company presence={presence.data} />
        </span>
      }
      actions={<Actions editing={editing} onOpen={setDialog} />}
    >
      {kept.found && (
        <NeverSaved found={kept.found} editing={editing} onRestore={kept.restore} onDiscard={kept.discard} />
      )}
      <Naming draft={draft} onChange={saver.change} />
      {draft.content.mode === 'visual' ? (
        <VisualPane
          document={draft.content.document}
          textContent={draft.textContent}
          onChange={saver.change}
        />
      ) : (
        <CodePane draft={draft} onChange={saver.change} />
      )}
      <PassingNotes>
        <Refused editing={editing} newer={newer} />
      </PassingNotes>
      <Dialogs open={dialog} editing={editing} onClose={() => setDialog(null)} />
      {guard.dialog}
    </Page>
  );
}

/** Shows a template that was new under its own address, and writes on without a break. */
function useOwnAddress(created: Template | null, onCreated: (id: number) => void): void {
  const navigate = useNavigate();
  const id = created?.id;
  useEffect(() => {
    if (id === undefined) return;
    onCreated(id);
    void navigate({ to: '/templates/$id', params: { id: String(id) }, replace: true });
  }, [id]);
}

interface ActionsProps {
  editing: Editing;
  onOpen: (dialog: Dialog) => void;
}

function Actions({ editing: { draft, stored: template, saver }, onOpen }: ActionsProps) {
  /** A test and a way back are about what is stored. */
  const openSaved = async (dialog: Dialog) => {
    if (await saver.save('needed')) onOpen(dialog);
  };
  return (
    <>
      <ModeSwitch content={draft.content} onChange={(content) => saver.change({ content })} />
      <Button
        variant="default"
        leftSection={<IconEye size={16} stroke={1.6} />}
        onClick={() => onOpen('preview')}
      >
        Preview
      </Button>
      {template && (
        <>
          <AsyncButton
            variant="default"
            leftSection={<IconHistory size={16} stroke={1.6} />}
            onClick={() => openSaved('versions')}
          >
            Versions
          </AsyncButton>
          <MayEditButton variant="default" why={needsEditor} onClick={() => openSaved('test')}>
            Send test
          </MayEditButton>
        </>
      )}
      <MayEditButton why={needsEditor} onClick={() => saver.save('asked')}>
        {template ? 'Save Template' : 'Create Template'}
      </MayEditButton>
    </>
  );
}

interface DialogsProps {
  open: Dialog | null;
  editing: Editing;
  onClose: () => void;
}

function Dialogs({ open, editing: { draft, stored: template, saver }, onClose }: DialogsProps) {
  const queryClient = useQueryClient();
  return (
    <>
      {open === 'preview' && <PreviewDraft draft={draft} onClose={onClose} />}
      {template && open === 'test' && (
        <TestDialog template={{ id: template.id, name: draft.name }} onClose={onClose} />
      )}
      <VersionsDialog
        id={open === 'versions' ? template?.id : undefined}
        onClose={onClose}
        editor={{
          save: async () => ((await saver.save('needed')) ? saver.version : null),
          onRestored: (now) => saver.take(noteStored(queryClient, now)),
        }}
      />
    </>
  );
}
