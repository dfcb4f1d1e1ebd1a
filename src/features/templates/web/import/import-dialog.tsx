import { Button, FileButton, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { importHtml, longestTemplateName } from '../../contract.ts';
import classes from '../templates.module.css';
import type { Imported } from './imported.ts';
import { ImportedDialog } from './imported-dialog.tsx';
import { nameFor, readHtmlFile } from './read-html-file.ts';

/** Brings in HTML that was written elsewhere: shows what was done to it, then makes a template. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<{ imported: Imported; name: string } | null>(null);
  return found ? (
    <ImportedDialog imported={found.imported} name={found.name} onClose={onClose} />
  ) : (
    <PasteDialog onFound={(imported, name) => setFound({ imported, name })} onClose={onClose} />
  );
}

interface PasteDialogProps {
  onFound: (imported: Imported, name: string) => void;
  onClose: () => void;
}

function PasteDialog({ onFound, onClose }: PasteDialogProps) {
  const [html, setHtml] = useState('');
  const [fileName, setFileName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const imported = await call(importHtml, { body: { html } });
      onFound(imported, nameFor(imported.htmlContent, fileName).slice(0, longestTemplateName));
    } catch (failure) {
      setError(refusalOf(failure));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Import HTML"
      width={720}
      submitLabel="Import HTML"
      pendingLabel="Importing..."
      pending={pending}
      submitDisabled={html.trim() === ''}
      onSubmit={() => void submit()}
    >
      <Textarea
        label="HTML"
        description="Paste what another program exported. Scripts and forms are taken out, and Mailchimp’s merge tags become ours."
        data-autofocus
        rows={14}
        spellCheck={false}
        classNames={{ input: classes.code }}
        value={html}
        error={error}
        onChange={({ currentTarget: { value } }) => {
          setHtml(value);
          setError(null);
        }}
      />
      <div>
        <ChooseFile
          onRead={(text, name) => {
            setHtml(text);
            setFileName(name);
            setError(null);
          }}
          onRefused={setError}
        />
      </div>
    </FormDialog>
  );
}

/** The sentence of the field says more than that of the whole. */
function refusalOf(failure: unknown): string {
  const ofField = failure instanceof ApiError ? failure.fields.html : undefined;
  return ofField ?? words(failure, 'The HTML could not be imported.');
}

interface ChooseFileProps {
  onRead: (html: string, fileName: string) => void;
  onRefused: (refusal: string) => void;
}

function ChooseFile({ onRead, onRefused }: ChooseFileProps) {
  const reset = useRef<() => void>(null);
  const take = async (file: File | null) => {
    // The same file again is to be read again: somebody may have changed it.
    reset.current?.();
    if (!file) return;
    const read = await readHtmlFile(file);
    if ('html' in read) onRead(read.html, file.name);
    else onRefused(read.refusal);
  };
  return (
    <FileButton
      resetRef={reset}
      accept=".html,.htm,text/html"
      onChange={(file) => void take(file)}
      inputProps={{ 'aria-label': 'File with HTML' }}
    >
      {({ onClick }) => (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconUpload size={16} stroke={1.6} />}
          onClick={onClick}
        >
          Choose a file
        </Button>
      )}
    </FileButton>
  );
}
