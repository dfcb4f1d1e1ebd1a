import { Button, Menu, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconBan, IconCopy, IconFileImport, IconSearchOff, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { FilterChips } from '#platform/web/components/filter-chips.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { SelectionBar } from '#platform/web/components/selection-bar.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useSelection } from '#platform/web/components/use-selection.ts';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { SuppressionReason } from '../contract.ts';
import { AddEntry } from './add-entry.tsx';
import { entryColumns, entryOnPhone } from './entry-columns.tsx';
import { ImportListDialog } from './import-list-dialog.tsx';
import { ListActions } from './list-menu.tsx';
import { type Removal, RemoveDialog } from './remove-dialog.tsx';
import classes from './suppressions-page.module.css';
import { pageSizes, type Tab, tabs } from './suppressions-search.ts';
import { type Entry, type SuppressionList, useSuppressionList } from './use-suppression-list.ts';
import { reasonLabels } from './words.ts';

const tabLabels: Record<Tab, string> = { emails: 'Email Suppressions', domains: 'Domain Suppressions' };

const reasonsOn: Record<Tab, SuppressionReason[]> = {
  emails: ['manual', 'unsubscribed', 'bounced', 'complained', 'erased', 'imported'],
  domains: ['manual', 'imported'],
};

/** Whom not to mail: single addresses, and whole domains. */
export default function SuppressionsPage() {
  const list = useSuppressionList();
  const { state, change, query, summary } = list;
  const { tab } = state;
  const mayEdit = useMay('editor');
  const hashes = summary ? sumOf(summary.hashes) : 0;
  return (
    <Page
      title="Suppressions"
      purpose="Who is never mailed, whatever list they are in."
      actions={<ListActions tab={tab} mayEdit={mayEdit} onImport={() => change({ dialog: 'import' })} />}
    >
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(next) =>
          change({
            tab: tabs.find((one) => one === next) ?? 'emails',
            page: 1,
            search: '',
            reason: undefined,
          })
        }
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabLabels[one]}
              <span className={classes.count}>{summary && formatNumber(sumOf(summary[one]))}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div className={classes.bar}>
        <SearchField
          key={tab}
          slash
          placeholder={tab === 'emails' ? 'Search addresses' : 'Search domains'}
          value={state.search}
          onSearch={(search) => change({ search, page: 1 }, { replace: true })}
        />
        <FilterChips
          single
          fields={[
            {
              key: 'reason',
              label: 'Reason',
              options: reasonsOn[tab].map((value) => ({ value, label: reasonLabels[value] })),
            },
          ]}
          value={{ reason: state.reason ? [state.reason] : [] }}
          onChange={(_key, [value]) => change({ reason: value as SuppressionReason | undefined, page: 1 })}
        />
        {mayEdit && (
          <AddEntry
            key={`add-${tab}`}
            tab={tab}
            onAdded={() => change({ page: 1, search: '', reason: undefined })}
          />
        )}
      </div>
      {hashes > 0 && tab === 'emails' && (
        <p className={classes.hashes}>
          {formatCount(hashes, 'more address is', 'more addresses are')} known by a hash alone, from imported
          lists. They are kept out of every import.
        </p>
      )}
      <Entries key={`list-${tab}`} list={list} mayEdit={mayEdit} />
      <TableFooter
        page={state.page}
        pageSize={state.size}
        total={query.data?.totalCount}
        isEstimate={query.data?.totalIsEstimate ?? false}
        onPage={(page) => change({ page })}
        pageSizes={pageSizes}
        onPageSize={(size) => change({ size: size as (typeof pageSizes)[number], page: 1 })}
      />
      {mayEdit && (
        <ImportListDialog
          opened={state.dialog === 'import'}
          listId={state.list}
          onClose={() => change({ dialog: undefined, list: undefined })}
        />
      )}
    </Page>
  );
}

const sumOf = (counts: Record<string, number | undefined>): number =>
  Object.values(counts).reduce((sum: number, one) => sum + (one ?? 0), 0);

/** The table of the open tab, with what can be done to its rows. */
function Entries({ list, mayEdit }: { list: SuppressionList; mayEdit: boolean }) {
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
  const isEstimate = query.data?.totalIsEstimate ?? false;

  const removeOne = ({ id, name, reason }: Entry) =>
    setRemoval({ tab, chosen: { id, name }, count: 1, isEstimate: false, reasons: new Set([reason]) });
  const removeChosen = () => {
    if (selection.everything) {
      const reasons = state.reason ? [state.reason] : reasonsPresent(list);
      setRemoval({ tab, chosen: { filter }, count: total ?? 0, isEstimate, reasons: new Set(reasons) });
      return;
    }
    const ids = [...selection.keys];
    const reasons = ids.flatMap((id) => seen.get(id) ?? []);
    setRemoval({ tab, chosen: { ids }, count: ids.length, isEstimate: false, reasons: new Set(reasons) });
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
        empty={<Nothing list={list} mayEdit={mayEdit} />}
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

/** The reasons that entries of the open list have at all. */
const reasonsPresent = ({ summary, state }: SuppressionList): SuppressionReason[] =>
  reasonsOn[state.tab].filter((reason) => (summary?.[state.tab][reason] ?? 0) > 0);

function useColumns(tab: Tab) {
  const roomy = useMediaQuery('(min-width: 70em)', true, { getInitialValueInEffect: false });
  const wide = useMediaQuery('(min-width: 84em)', true, { getInitialValueInEffect: false });
  return entryColumns(tab, { note: wide, who: roomy });
}

interface EntryMenuProps {
  entry: Entry;
  mayEdit: boolean;
  onRemove: (entry: Entry) => void;
}

function EntryMenu({ entry, mayEdit, onRemove }: EntryMenuProps): ReactNode {
  return (
    <>
      <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void copy(entry.name)}>
        Copy
      </Menu.Item>
      {mayEdit && (
        <>
          <Menu.Divider />
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={16} stroke={1.6} />}
            onClick={() => onRemove(entry)}
          >
            Remove
          </Menu.Item>
        </>
      )}
    </>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toastDone({ title: 'Copied', message: text });
  } catch {
    // The clipboard is only there on secure pages, and only where the browser allows it.
    toastFailed({ title: 'Not copied', message: 'The browser did not allow it. Copy it by hand.' });
  }
}

function Nothing({ list, mayEdit }: { list: SuppressionList; mayEdit: boolean }) {
  const { state, change, filter } = list;
  const search = state.search.trim();
  if (Object.keys(filter).length > 0) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={search === '' ? 'Nothing matches this filter' : `Nothing matches “${search}”`}
        description={
          state.tab === 'emails'
            ? 'Part of an address is enough. A domain that is suppressed as a whole is on the other tab.'
            : 'Part of a domain is enough.'
        }
        action={
          <Button variant="default" onClick={() => change({ search: '', reason: undefined, page: 1 })}>
            {search === '' ? 'Clear filter' : 'Clear search'}
          </Button>
        }
      />
    );
  }
  const what =
    state.tab === 'emails'
      ? 'Addresses come here when people unsubscribe, complain or ask to be left alone, and when mail to them bounces.'
      : 'A domain here is never mailed, and neither are its subdomains.';
  return (
    <EmptyState
      icon={IconBan}
      title={state.tab === 'emails' ? 'No suppressed addresses yet' : 'No suppressed domains yet'}
      description={
        mayEdit ? `${what} Add one above, or bring in the lists of the tool you used before.` : what
      }
      action={
        mayEdit && (
          <LinkButton
            to="/suppressions"
            search={state.tab === 'emails' ? { dialog: 'import' } : { tab: 'domains', dialog: 'import' }}
            variant="default"
            leftSection={<IconFileImport size={16} stroke={1.6} />}
          >
            Import a suppression list
          </LinkButton>
        )
      }
    />
  );
}
