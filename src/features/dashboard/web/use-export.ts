import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listActivities } from '#features/activities/contract.ts';
import { downloadContacts } from '#features/contacts/web/index.ts';

/** Saves all contacts as a file. `exporting` is true until it is there. */
export function useExport(): { exporting: boolean; startExport: () => void } {
  const queryClient = useQueryClient();
  const [exporting, setExporting] = useState(false);
  const startExport = useCallback(async () => {
    setExporting(true);
    await downloadContacts({ filter: {} });
    setExporting(false);
    void queryClient.invalidateQueries({ queryKey: [listActivities.path] });
  }, [queryClient]);
  return { exporting, startExport: () => void startExport() };
}
