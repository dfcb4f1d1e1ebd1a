import { IconPlus } from '@tabler/icons-react';
import { deferred } from '#platform/web/components/deferred.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { BeginDialog } from './begin/begin-dialog.tsx';
import { MyTemplates } from './my-templates.tsx';
import { PresetTemplates } from './preset-templates.tsx';
import { PresetPreview, TemplatePreview } from './preview-dialog.tsx';
import { needsEditor } from './template-actions.ts';
import { EditDialog, NewDialog } from './template-dialog.tsx';
import { templatesSearch } from './templates-search.ts';
import { VersionsDialog } from './versions-dialog.tsx';

const ImportDialog = deferred<{ onClose: () => void }>(
  async () => (await import('./import/import-dialog.tsx')).default,
);

/** Email Templates: presets to begin with, and the workspace's own templates. */
export default function TemplatesPage() {
  const [state, change] = useUrlState(templatesSearch);
  const mayEdit = useMay('editor');
  return (
    <Page
      title="Email Templates"
      purpose="Create and manage reusable email templates"
      actions={
        <>
          <LinkButton to="/templates/images" variant="default">
            Images
          </LinkButton>
          <MayEditButton
            why={needsEditor}
            leftSection={<IconPlus size={16} stroke={1.6} />}
            onClick={() => change({ dialog: 'begin', use: undefined })}
          >
            Create Template
          </MayEditButton>
        </>
      }
    >
      <PresetTemplates kind={state.presets} change={change} />
      <MyTemplates state={state} change={change} />
      <BeginDialog opened={state.dialog === 'begin'} kind={state.presets} change={change} />
      <NewDialog
        opened={state.dialog === 'new'}
        use={state.use}
        onClose={() => change({ dialog: undefined, use: undefined })}
      />
      {state.dialog === 'import' && mayEdit && <ImportDialog onClose={() => change({ dialog: undefined })} />}
      <EditDialog id={state.edit} onClose={() => change({ edit: undefined })} />
      <TemplatePreview
        id={state.preview}
        contact={state.contact}
        onContact={(contact) => change({ contact }, { replace: true })}
        onClose={() => change({ preview: undefined, contact: undefined })}
        onEdit={(id) => change({ preview: undefined, contact: undefined, edit: id })}
      />
      <PresetPreview
        id={state.preset}
        onClose={() => change({ preset: undefined })}
        onUse={(use) => change({ preset: undefined, dialog: 'new', use })}
      />
      <VersionsDialog id={state.versions} onClose={() => change({ versions: undefined })} />
    </Page>
  );
}
