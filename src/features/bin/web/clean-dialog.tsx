import { useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import type { DialogProps } from '#platform/web/components/deferred.tsx';
import { cleanContacts } from '../contract.ts';
import { CleaningDialog } from './cleaning-dialog.tsx';

/**
 * Removes duplicate, invalid and non-UK contacts. Shows how many of each first, and offers to bring
 * them back.
 */
export function CleanDialog({ opened, onClose }: DialogProps) {
  const queryClient = useQueryClient();
  return (
    <CleaningDialog
      opened={opened}
      onClose={onClose}
      endpoint={cleanContacts}
      title="Clean the database"
      nothing={{ label: 'Nothing to remove', isEnabled: false }}
      titles={{ done: 'Database Cleaned', cancelled: 'Clean Cancelled' }}
      failure={{ title: 'Error', message: 'Failed to clean database. Please try again.' }}
      onEnded={() => void refreshContacts(queryClient)}
    />
  );
}
