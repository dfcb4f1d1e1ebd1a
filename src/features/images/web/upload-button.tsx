import { FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { formatCount } from '#platform/web/format.ts';
import { needsEditor } from './image-actions.ts';
import type { Uploads } from './use-uploads.ts';

/** Opens the browser's window for files. */
export function UploadButton({ uploads, isPlain = false }: { uploads: Uploads; isPlain?: boolean }) {
  const reset = useRef<() => void>(null);
  const take = (files: File[]) => {
    uploads.send(files);
    // The same file again is another upload.
    reset.current?.();
  };
  return (
    <FileButton
      multiple
      resetRef={reset}
      accept="image/png,image/jpeg,image/gif,image/webp"
      onChange={take}
      inputProps={{ 'aria-label': 'Images to upload' }}
    >
      {({ onClick }) => (
        <MayEditButton
          why={needsEditor}
          {...(isPlain ? { variant: 'default' } : {})}
          leftSection={<IconUpload size={16} stroke={1.6} />}
          onClick={onClick}
        >
          {uploads.left === 0 ? 'Upload images' : `Uploading ${formatCount(uploads.left, 'image')}...`}
        </MayEditButton>
      )}
    </FileButton>
  );
}
