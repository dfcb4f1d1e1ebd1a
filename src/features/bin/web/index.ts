import { IconTrash } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { deferredDialog } from '#platform/web/components/deferred.tsx';
import type { WebFeature } from '#platform/web/feature.ts';
import { listRemovals, listRemoved } from '../contract.ts';
import { binWords } from '../rules/words.ts';
import { binSearch } from './bin-search.ts';

export { useDeleteEmails } from './use-delete-emails.tsx';

/**
 * Removes duplicate, invalid and non-UK contacts. Shows how many of each first, and offers to bring
 * them back.
 */
export const CleanDialog = deferredDialog(async () => (await import('./clean-dialog.tsx')).CleanDialog);

/** A dialog that shows what a cleaning would remove, and does it. */
export { CleaningDialog } from './cleaning-dialog.tsx';

export const binFeature: WebFeature = {
  words: binWords,
  eventWords: () => import('./event-words.ts'),
  pages: [{ path: '/bin', access: 'signed-in', search: binSearch, load: () => import('./bin-page.tsx') }],
  commands: [
    {
      label: 'Bin',
      isPlace: true,
      description: 'What was removed, to bring it back',
      icon: IconTrash,
      to: '/bin',
      keywords: 'restore deleted removed trash undo',
    },
  ],
  changesWith: { [contactsTopic]: [listRemovals, listRemoved] },
};
