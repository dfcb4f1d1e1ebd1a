import { IconUpload } from '@tabler/icons-react';
import { formatBytes } from '#platform/web/format.ts';
import classes from './chosen-file.module.css';
import { ChooseButton, FileDrop, upTo, useMaxFileSize } from './file-drop.tsx';
import { fileIcon } from './file-icon.ts';

interface ChosenFileProps {
  file: File | null;
  onFile: (file: File) => void;
  onRefused: (reason: string) => void;
}

/**
 * The file to import: a place to drop one, then its name and size. Another file can be dropped on
 * it.
 */
export function ChosenFile({ file, onFile, onRefused }: ChosenFileProps) {
  const maxFileSize = useMaxFileSize();
  const FileIcon = file ? fileIcon(file.name) : IconUpload;
  return (
    <FileDrop onFile={onFile} onRefused={onRefused}>
      {(open) => (
        <div className={classes.row}>
          <FileIcon size={22} stroke={1.6} className={classes.icon} aria-hidden />
          <div className={classes.words}>
            <p className={classes.title}>{file?.name ?? 'Drop a CSV or .xlsx here'}</p>
            <p className={classes.hint}>{file ? formatBytes(file.size) : upTo(maxFileSize)}</p>
          </div>
          <ChooseButton
            onClick={open}
            label={file ? 'Replace file' : 'Choose file'}
            autoFocus={file === null}
          />
        </div>
      )}
    </FileDrop>
  );
}
