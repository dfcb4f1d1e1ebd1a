import { CleaningDialog } from '#features/bin/web/index.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { type CleanupResult, cleanUp } from '../contract.ts';

/**
 * Shows what a cleanup would do, and does it, also when there is no contact to remove: there may be
 * files to tidy.
 */
export function CleanupDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <CleaningDialog<CleanupResult>
      opened={opened}
      onClose={onClose}
      endpoint={cleanUp}
      title="Clean up the database"
      nothing={{ label: 'Tidy up', isEnabled: true }}
      danger={(counts) => (counts?.removed ?? 0) > 0}
      titles={{ done: 'Database Cleanup Complete', cancelled: 'Cleanup Cancelled' }}
      failure={{
        title: 'Cleanup Failed',
        message: 'There was an error cleaning up the database. Please try again.',
      }}
      tellMore={tidied}
    >
      {(counts) =>
        (counts?.expired ?? 0) > 0 && (
          <p>
            {formatCount(counts?.expired ?? 0, 'contact')} in the bin can no longer be restored and go for
            good.
          </p>
        )
      }
    </CleaningDialog>
  );
}

const tidied = ({ expired = 0, files = 0 }: Partial<CleanupResult>): string[] => [
  ...(expired > 0 ? [`${formatNumber(expired)} expired.`] : []),
  ...(files > 0 ? [`${formatCount(files, 'old file')} deleted.`] : []),
];
