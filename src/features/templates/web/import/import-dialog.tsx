import { Button, FileButton, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { upload } from '#platform/web/transfer.ts';
import { importHtml, importZip, longestTemplateName } from '../../contract.ts';
import classes from '../templates.module.css';
import type { Imported } from './imported.ts';
import { ImportedDialog } from './imported-dialog.tsx';
import { isZip, nameFor, readHtmlFile } from './read-html-file.ts';

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
  const bringIn = async (from: string, read: () => Promise<Imported>) => {
    setPending(true);
    setError(null);
    try {
      const imported = await read();
      onFound(imported, nameFor(imported.htmlContent, from).slice(0, longestTemplateName));
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
      isChanged={html.trim() !== ''}
      submitDisabled={html.trim() === ''}
      onSubmit={() => void bringIn(fileName, () => call(importHtml, { body: { html } }))}
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
      <div className={classes.choosing}>
        <ChooseFile
          disabled={pending}
          onRead={(text, name) => {
            setHtml(text);
            setFileName(name);
            setError(null);
          }}
          onZip={(file) => {
            const form = new FormData();
            form.append('file', file);
            void bringIn(file.name, () => upload(importZip, { form }));
          }}
          onRefused={setError}
        />
        <span className={classes.hint}>HTML, or a zip with HTML and its images.</span>
      </div>
    </FormDialog>
  );
}

/** The sentence of the field says more than that of the whole. */
function refusalOf(failure: unknown): string {
  const fields = failure instanceof ApiError ? failure.fields : {};
  return fields.html ?? fields.file ?? words(failure, 'The HTML could not be imported.');
}

interface ChooseFileProps {
  disabled: boolean;
  onZip: (file: File) => void;
  onRead: (html: string, fileName: string) => void;
  onRefused: (refusal: string) => void;
}

function ChooseFile({ disabled, onRead, onZip, onRefused }: ChooseFileProps) {
  const reset = useRef<() => void>(null);
  const take = async (file: File | null) => {
    // The same file again is to be read again: somebody may have changed it.
    reset.current?.();
    if (!file) return;
    if (await isZip(file)) return onZip(file);
    const read = await readHtmlFile(file);
    if ('html' in read) onRead(read.html, file.name);
    else onRefused(read.refusal);
  };
  return (
    <FileButton
      resetRef={reset}
      accept=".html,.htm,text/html,.zip,application/zip"
      onChange={(file) => void take(file)}
      inputProps={{ 'aria-label': 'File with HTML' }}
    >
      {({ onClick }) => (
        <Button
          variant="default"
          size="xs"
          disabled={disabled}
          leftSection={<IconUpload size={16} stroke={1.6} />}
          onClick={onClick}
        >
          Choose a file
        </Button>
      )}
    </FileButton>
  );
}
