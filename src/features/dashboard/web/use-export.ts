import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listActivities } from '#features/activities/contract.ts';
import { downloadContacts } from '#features/exports/web/index.ts';

/**
 * Saves all contacts, about `count`, as a file. `exporting` is true until the download is on its
 * way.
 */
export function useExport(count: number | undefined): { exporting: boolean; startExport: () => void } {
  const queryClient = useQueryClient();
  const [exporting, setExporting] = useState(false);
  const startExport = useCallback(async () => {
    setExporting(true);
    await downloadContacts({ filter: {} }, count);
    setExporting(false);
    void queryClient.invalidateQueries({ queryKey: [listActivities.path] });
  }, [queryClient, count]);
  return { exporting, startExport: () => void startExport() };
}
