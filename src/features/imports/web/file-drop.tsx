import '@mantine/dropzone/styles.layer.css';
import { Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { formatNumber } from '#platform/web/format.ts';
import { onlyTables } from '../rules/file-names.ts';
import { settingsQuery } from './api.ts';
import classes from './file-drop.module.css';
import { oneFile, refusalOf } from './file-rules.ts';

/** The workspace's limit in MB; undefined while it loads. */
export const useMaxFileSize = (): number | undefined => useQuery(settingsQuery).data?.import.maxFileSize;

/** "Up to 100 MB." */
export const upTo = (megabytes: number | undefined): string =>
  megabytes === undefined ? '' : `Up to ${formatNumber(megabytes)} MB.`;

interface FileDropProps {
  onFile: (file: File) => void;
  onRefused: (reason: string) => void;
  disabled?: boolean;
  /** Without its own border and background, for a card that can also be dropped on. */
  plain?: boolean;
  /** `open` shows the file picker. */
  children: (open: () => void) => ReactNode;
}

/**
 * A place to drop or choose one file. A file that cannot be imported is refused before it is
 * sent.
 */
export function FileDrop({ onFile, onRefused, disabled = false, plain = false, children }: FileDropProps) {
  const maxFileSize = useMaxFileSize();
  const open = useRef<() => void>(null);
  const take = ([file]: File[]) => {
    if (!file || disabled) return;
    const refusal = refusalOf(file, maxFileSize);
    if (refusal === null) onFile(file);
    else onRefused(refusal);
  };
  return (
    <Dropzone
      className={plain ? classes.plain : classes.drop}
      classNames={{ inner: classes.inner }}
      accept={{
        'text/csv': ['.csv'],
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
      }}
      multiple={false}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      // Not the kit's "disabled", which would also disable the buttons inside.
      activateOnDrag={!disabled}
      openRef={open}
      onDrop={take}
      onReject={([first, second]) => onRefused(first && !second ? onlyTables(first.file.name) : oneFile)}
      inputProps={{ 'aria-label': 'File' }}
    >
      {children(() => open.current?.())}
    </Dropzone>
  );
}

interface ChooseButtonProps {
  onClick: () => void;
  label?: string;
  primary?: boolean;
  fullWidth?: boolean;
  /** Takes the focus when its dialog opens. */
  autoFocus?: boolean;
}

export function ChooseButton(props: ChooseButtonProps) {
  const { onClick, label = 'Choose file', primary = false, fullWidth = false, autoFocus = false } = props;
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      fullWidth={fullWidth}
      onClick={onClick}
      data-autofocus={autoFocus || undefined}
    >
      {label}
    </Button>
  );
}
