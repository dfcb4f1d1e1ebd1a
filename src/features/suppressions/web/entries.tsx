import { useMediaQuery } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { SelectionBar } from '#platform/web/components/selection-bar.tsx';
import { useSelection } from '#platform/web/components/use-selection.ts';
import type { SuppressionReason } from '../contract.ts';
import { entryColumns, entryOnPhone } from './entry-columns.tsx';
import { EntryMenu } from './entry-menu.tsx';
import { NoEntries } from './no-entries.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import type { Tab } from './suppressions-search.ts';
import type { Removal } from './use-removal-count.ts';
import type { Entry, SuppressionList } from './use-suppression-list.ts';
import { reasonsOn, tabLabels } from './words.ts';

/** The table of the open tab, with the actions for its rows. */
export function Entries({ list, mayEdit }: { list: SuppressionList; mayEdit: boolean }) {
  const { state, query, rows, filter } = list;
  const { tab } = state;
  const selection = useSelection<number>();
  const { clear } = selection;
  const [removal, setRemoval] = useState<Removal | null>(null);
  const [seen, setSeen] = useState<ReadonlyMap<number, SuppressionReason>>(new Map());
  useEffect(() => {
    if (filter) clear();
  }, [filter, clear]);
  useEffect(() => {
    if (rows)
      setSeen((before) => new Map([...before, ...rows.map(({ id, reason }) => [id, reason] as const)]));
  }, [rows]);
  const columns = useColumns(tab);
  const total = query.data?.totalCount;

  const removeOne = ({ id, name, reason }: Entry) =>
    setRemoval({ tab, chosen: { id, name }, reasons: new Set([reason]) });
  const removeChosen = () => {
    if (selection.everything) {
      const reasons = state.reason ? [state.reason] : reasonsPresent(list);
      setRemoval({ tab, chosen: { filter }, reasons: new Set(reasons) });
      return;
    }
    const ids = [...selection.keys];
    const reasons = ids.flatMap((id) => seen.get(id) ?? []);
    setRemoval({ tab, chosen: { ids }, reasons: new Set(reasons) });
  };

  return (
    <>
      <DataTable
        label={tabLabels[tab]}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={query}
        expectedRows={state.size}
        errorTitle="The suppressions could not be loaded"
        errorHint="Nobody on the list is mailed meanwhile. Your search and filter are kept."
        empty={<NoEntries list={list} mayEdit={mayEdit} />}
        phone={entryOnPhone(tab)}
        {...(mayEdit ? { selection } : {})}
        rowMenu={(entry) => <EntryMenu entry={entry} mayEdit={mayEdit} onRemove={removeOne} />}
      />
      <SelectionBar
        selection={selection}
        actions={[{ label: 'Remove', icon: IconTrash, danger: true, onClick: removeChosen }]}
        {...(total === undefined ? {} : { total })}
      />
      <RemoveDialog removal={removal} onClose={() => setRemoval(null)} onRemoved={clear} />
    </>
  );
}

/** The reasons that occur in the open list. */
const reasonsPresent = ({ summary, state }: SuppressionList): SuppressionReason[] =>
  reasonsOn[state.tab].filter((reason) => (summary?.[state.tab][reason] ?? 0) > 0);

function useColumns(tab: Tab) {
  const roomy = useMediaQuery('(min-width: 70em)', true, { getInitialValueInEffect: false });
  const wide = useMediaQuery('(min-width: 84em)', true, { getInitialValueInEffect: false });
  return entryColumns(tab, { note: wide, who: roomy });
}
