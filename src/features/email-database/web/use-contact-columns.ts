import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listImports } from '#features/imports/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { chosenColumns, usualColumns } from './contact-columns.tsx';

/**
 * The table's columns: the chosen ones. When nobody chose any, there are fewer in a narrow window
 * or beside an open record.
 */
export function useContactColumns(keys: readonly string[] | null, isPanelOpen: boolean) {
  const usual = useUsualColumns(isPanelOpen);
  const wantsImports = keys?.includes('import') ?? false;
  const imports = useQuery({
    ...queryOptionsFor(listImports, { query: { limit: 200 } }),
    enabled: wantsImports,
  }).data;
  return useMemo(() => {
    if (keys === null) return { columns: usual };
    const fileNames = new Map(imports?.items.map(({ id, fileName }) => [id, fileName]));
    return chosenColumns(keys, fileNames);
  }, [keys, usual, imports]);
}

function useUsualColumns(isPanelOpen: boolean) {
  const narrow = useMediaQuery('(max-width: 57em)', false, { getInitialValueInEffect: false });
  const roomy = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false });
  const wide = useMediaQuery('(min-width: 84em)', true, { getInitialValueInEffect: false });
  const widest = useMediaQuery('(min-width: 106em)', true, { getInitialValueInEffect: false });
  const verdict = isPanelOpen ? wide : !narrow;
  const ukClass = isPanelOpen ? wide : roomy;
  const name = isPanelOpen ? widest : wide;
  // The address needs the room more, and the record shows the source anyway.
  const source = isPanelOpen ? widest : roomy;
  return useMemo(() => usualColumns({ verdict, ukClass, name, source }), [verdict, ukClass, name, source]);
}
