import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { importsQuery, isBusy } from './api.ts';
import { watchImport } from './import-watch.ts';

/** Finds running imports, for example after a page reload, and shows them in the tray. */
export default function ImportTasks() {
  const queryClient = useQueryClient();
  const { data } = useQuery(importsQuery());
  useEffect(() => {
    for (const { id, fileName, ...record } of data?.items ?? []) {
      if (isBusy(record)) watchImport(queryClient, id, { fileName, dryRun: false, announce: false });
    }
  }, [data, queryClient]);
  return null;
}
