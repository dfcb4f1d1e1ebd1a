import { useCallback, useEffect, useState } from 'react';
import { type AskedView, ViewDialog, ViewMenu, ViewSave } from '#features/views/web/index.ts';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { Page, Toolbar } from '#platform/web/components/page.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { SelectionBar } from '#platform/web/components/selection-bar.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { useSelection } from '#platform/web/components/use-selection.ts';
import { formatAbout, formatNumber } from '#platform/web/format.ts';
import type { Contact, ContactFilter, ExportFormat } from '../contract.ts';
import { filtersByVerdict } from '../rules.ts';
import { AddEmailDialog } from './add-email-dialog.tsx';
import { CleanDialog } from './clean-dialog.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import type { ContactActions } from './contact-actions.ts';
import { contactOnPhone } from './contact-columns.tsx';
import { ContactFilters, unfiltered } from './contact-filters.tsx';
import { ContactPanel } from './contact-panel.tsx';
import { pageSizes } from './email-database-search.ts';
import { NoContacts, NothingFound } from './empty-lists.tsx';
import { downloadContacts } from './export-contacts.ts';
import { BinLink, BulkMenu, ContactMenu, PageActions, PhoneActions } from './list-actions.tsx';
import { useMayEdit } from './permissions.ts';
import { UkViewCard } from './uk-view-card.tsx';
import { useBulkActions } from './use-bulk-actions.tsx';
import { useContactColumns } from './use-contact-columns.ts';
import { type ContactList, useContactList } from './use-contact-list.ts';
import { useContactViews } from './use-contact-views.ts';
import { useDeleteEmails } from './use-delete-emails.tsx';
import { type ListTotal, useListTotal } from './use-list-total.ts';
import { useSuggestion } from './use-suggestion.ts';
import { useSuppressEmail } from './use-suppress-email.ts';
import { useVerify } from './use-verify.ts';

/** Every address of the workspace: found, read, added, suppressed, exported and removed. */
export default function EmailDatabasePage() {
  const list = useContactList();
  const { state, change, filter } = list;
  const phone = usePhone();
  const selection = useSelection<number>();
  const { clear } = selection;
  useEffect(() => {
    if (filter) clear();
  }, [filter, clear]);

  const closePanel = useCallback(() => change({ open: undefined }), [change]);
  const mayEdit = useMayEdit();
  const openAdd = useCallback(() => change({ dialog: 'add' }), [change]);
  const openClean = useCallback(() => change({ dialog: 'clean' }), [change]);
  const closeDialog = useCallback(() => change({ dialog: undefined }), [change]);
  const found = list.query.data?.totalCount;
  const suppress = useSuppressEmail();
  const removal = useDeleteEmails({ onDone: closePanel });
  const [withVerdicts, setWithVerdicts] = useState(false);
  const include = withVerdicts ? ('verdict' as const) : undefined;
  const bulk = useBulkActions({ selection, filter, total: found, onRemoved: closePanel, include });
  const total = useListTotal(list, selection.keys.size > 0 || selection.everything);
  const views = useContactViews(list);
  const [askedView, setAskedView] = useState<AskedView | null>(null);
  const aboutViews = { place: views.place, onAsk: setAskedView };
  const verifyContacts = useVerify();
  const verify = () => verifyContacts({ filter });
  const exportAll = (format?: ExportFormat) => downloadContacts({ filter }, found, { format, include });
  const exporting = { onExport: exportAll, withVerdicts, onWithVerdicts: setWithVerdicts };
  const forAll = { onVerify: verify, onAdd: openAdd, onClean: openClean, ...exporting };
  const forOne: ContactActions = {
    onSuppress: suppress,
    onVerify: ({ id }) => verifyContacts({ ids: [id] }),
    ...useSuggestion(),
    onDelete: removal.askOne,
  };
  const rowMenu = (contact: Contact) => <ContactMenu contact={contact} {...forOne} />;

  return (
    <Page
      title="Email Database"
      purpose="Every address you hold, and what is known about it."
      hideActionsOnPhone
      actions={<PageActions {...forAll} />}
    >
      <Toolbar
        search={
          <SearchField
            slash
            placeholder="Search addresses"
            value={state.search}
            onSearch={(search) => change({ search, page: 1 }, { replace: true })}
          />
        }
        phoneAction={<PhoneActions actions={bulk.actions} {...forAll} />}
      >
        {!list.isDeciding && (
          <ContactFilters
            state={state}
            change={change}
            lead={<ViewMenu {...aboutViews} />}
            trail={<ViewSave {...aboutViews} />}
          />
        )}
        {!phone && (
          <div style={{ display: 'flex', flex: 'none', marginLeft: 'auto' }}>
            <ColumnChooser {...views.columns} />
            <BulkMenu actions={bulk.actions} />
            <BinLink />
          </div>
        )}
      </Toolbar>
      {!list.isDeciding && (
        <>
          {!isFiltered(filter) && <UkViewCard onChoose={(uk) => change({ ...unfiltered, uk })} />}
          <ContactTable
            list={list}
            keys={views.keys}
            selection={selection}
            rowMenu={rowMenu}
            onAdd={openAdd}
          />
        </>
      )}
      <SelectionBar
        selection={selection}
        actions={bulk.actions}
        {...(total.exact === undefined ? {} : { total: total.exact })}
      />
      <TableFooter
        page={state.page}
        pageSize={state.size}
        total={total.shown}
        isEstimate={total.isEstimate}
        isCounting={total.isCounting}
        {...(total.estimate === undefined ? {} : { roomFor: total.estimate })}
        onPage={(page) => change({ page })}
        pageSizes={pageSizes}
        onPageSize={(size) => change({ size: size as (typeof pageSizes)[number], page: 1 })}
      />
      <ContactPanel
        id={state.open}
        fromTable={list.rows?.[list.index]}
        position={positionIn(list, total)}
        onPrevious={list.onPrevious}
        onNext={list.onNext}
        onClose={closePanel}
        {...forOne}
        menu={rowMenu}
      />
      <AddEmailDialog opened={state.dialog === 'add'} onClose={closeDialog} />
      <CleanDialog opened={mayEdit && state.dialog === 'clean'} onClose={closeDialog} />
      <ViewDialog {...aboutViews} asked={askedView} onClose={() => setAskedView(null)} />
      {bulk.dialogs}
      {removal.dialog}
    </Page>
  );
}

const isFiltered = (filter: ContactFilter): boolean => Object.keys(filter).length > 0;

interface ContactTableProps {
  list: ContactList;
  /** The chosen columns; null for the usual ones. */
  keys: readonly string[] | null;
  selection: ReturnType<typeof useSelection<number>>;
  rowMenu: (contact: Contact) => React.ReactNode;
  onAdd: () => void;
}

function ContactTable({ list, keys, selection, rowMenu, onAdd }: ContactTableProps) {
  const { state, change, query, rows, filter } = list;
  const columns = useContactColumns(keys, state.open !== undefined);
  return (
    <DataTable
      label="Contacts"
      {...columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowLabel={({ address }) => address}
      state={query}
      expectedRows={state.size}
      errorTitle="The contacts could not be loaded"
      errorHint="Your search and filters are kept."
      empty={
        isFiltered(filter) ? (
          <NothingFound
            search={state.search.trim()}
            byVerdict={filtersByVerdict(filter)}
            onClear={() => change(unfiltered)}
          />
        ) : (
          <NoContacts onAdd={onAdd} />
        )
      }
      phone={contactOnPhone}
      sort={{ key: state.sort, order: state.order ?? (state.sort === 'address' ? 'asc' : 'desc') }}
      onSort={({ key, order }) => {
        const sort = key === 'address' ? 'address' : 'createdAt';
        // A column sorted anew begins as it is read: A to Z, newest first.
        change({ sort, order: sort === state.sort ? order : undefined, page: 1 });
      }}
      selection={selection}
      rowMenu={rowMenu}
      onOpen={({ id }) => change({ open: id === state.open ? undefined : id })}
      openKey={state.open}
    />
  );
}

/** "7 of 1,204,331". */
function positionIn({ state, index }: ContactList, total: ListTotal): string | undefined {
  if (index < 0 || total.shown === undefined) return undefined;
  const at = (state.page - 1) * state.size + index + 1;
  return `${formatNumber(at)} of ${total.isEstimate ? formatAbout(total.shown) : formatNumber(total.shown)}`;
}
