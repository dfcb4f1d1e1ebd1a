import { Button } from '@mantine/core';
import { IconClipboardText, IconUpload } from '@tabler/icons-react';
import { Note } from '#platform/web/components/states.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { formatBytes } from '#platform/web/format.ts';
import { ChooseButton, FileDrop, upTo, useMaxFileSize } from './file-drop.tsx';
import { fileIcon } from './file-icon.ts';
import classes from './upload-area.module.css';
import { SendingBar } from './working.tsx';

interface UploadAreaProps {
  file: File | null;
  sending: { sent: number; total: number } | null;
  error: string | null;
  onFile: (file: File) => void;
  onRefused: (reason: string) => void;
  onStop: () => void;
  onPaste: () => void;
}

/** The large place to drop a file on. It shows the upload while it runs, and why it failed. */
export function UploadArea({ file, sending, error, onFile, onRefused, onStop, onPaste }: UploadAreaProps) {
  const maxFileSize = useMaxFileSize();
  const phone = usePhone();
  const FileIcon = file ? fileIcon(file.name) : IconUpload;
  return (
    <FileDrop onFile={onFile} onRefused={onRefused} disabled={sending !== null}>
      {(open) => (
        <section className={classes.area} aria-label="Upload">
          <span className={classes.mark} aria-hidden>
            <FileIcon size={24} stroke={1.6} />
          </span>
          <div className={classes.words}>
            <h2 className={classes.title}>
              {file?.name ??
                (phone ? 'Choose a CSV or .xlsx to import' : 'Drop a CSV or .xlsx here to import it')}
            </h2>
            <p className={classes.hint}>
              {file
                ? formatBytes(file.size)
                : `${upTo(maxFileSize)} The first column should hold email addresses, or a column named “email”.`}
            </p>
          </div>
          {sending ? (
            <div className={classes.progress}>
              <SendingBar {...sending} />
              <Button variant="subtle" color="gray" onClick={onStop}>
                Stop the upload
              </Button>
            </div>
          ) : (
            <>
              {error !== null && (
                <div className={classes.error}>
                  <Note tone="error">{error}</Note>
                </div>
              )}
              <div className={classes.ways}>
                <ChooseButton
                  onClick={open}
                  label={file || error ? 'Choose another file' : 'Choose file'}
                  primary={false}
                  fullWidth={phone}
                />
                <Button
                  variant="subtle"
                  color="gray"
                  fullWidth={phone}
                  leftSection={<IconClipboardText size={16} stroke={1.6} />}
                  onClick={onPaste}
                >
                  Paste addresses
                </Button>
              </div>
            </>
          )}
        </section>
      )}
    </FileDrop>
  );
}
