import { IconTrash } from '@tabler/icons-react';
import { lazy } from 'react';
import { deferredDialog } from '#platform/web/components/deferred-dialog.tsx';
import type { WebFeature } from '#platform/web/feature.ts';
import { binWords } from '../rules/words.ts';
import { binSearch } from './bin-search.ts';

export { useDeleteEmails } from './use-delete-emails.tsx';
export { useUndoOf } from './use-undo.ts';

/**
 * Removes duplicate, invalid and non-UK contacts. Shows how many of each first, and offers to bring
 * them back.
 */
export const CleanDialog = deferredDialog(async () => (await import('./clean-dialog.tsx')).CleanDialog);

/**
 * What a clean would remove and what would stay. Without counts while they are still being counted.
 */
export const CleanPreview = lazy(() =>
  import('./clean-preview.tsx').then((module) => ({ default: module.CleanPreview })),
);

export const binFeature: WebFeature = {
  words: binWords,
  eventWords: () => import('./event-words.ts'),
  pages: [{ path: '/bin', access: 'signed-in', search: binSearch, load: () => import('./bin-page.tsx') }],
  commands: [
    {
      label: 'Bin',
      description: 'What was removed, to bring it back',
      icon: IconTrash,
      to: '/bin',
      keywords: 'restore deleted removed trash undo',
    },
  ],
};
