import type { ContactFilter, ContactSort } from '#features/audience/contract.ts';
import { usualOrders } from '#features/audience/rules/order.ts';
import { filtersByVerdict } from '#features/audience/rules.ts';
import type { Contact } from '#features/contacts/contract.ts';
import { DataTable } from '#platform/web/components/data-table.tsx';
import type { Selection } from '#platform/web/components/use-selection.ts';
import { contactOnPhone } from './contact-columns.tsx';
import { unfiltered } from './contact-filters.tsx';
import { NoContacts, NothingFound } from './empty-lists.tsx';
import { useContactColumns } from './use-contact-columns.ts';
import type { ContactList } from './use-contact-list.ts';

export const isFiltered = (filter: ContactFilter): boolean => Object.keys(filter).length > 0;

interface ContactTableProps {
  list: ContactList;
  /** The chosen columns. Null for the usual ones. */
  keys: readonly string[] | null;
  selection: Selection<number>;
  rowMenu: (contact: Contact) => React.ReactNode;
  onAdd: () => void;
}

/** The contacts that the address asks for, in every loading state. */
export function ContactTable({ list, keys, selection, rowMenu, onAdd }: ContactTableProps) {
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
      sort={{ key: state.sort, order: state.order ?? usualOrders[state.sort] }}
      onSort={({ key, order }) => {
        const sort = key as ContactSort;
        // A newly sorted column starts in its natural order: A to Z, newest first, riskiest first.
        change({ sort, order: sort === state.sort ? order : undefined, page: 1 });
      }}
      selection={selection}
      rowMenu={rowMenu}
      onOpen={({ id }) => change({ open: id === state.open ? undefined : id })}
      openKey={state.open}
    />
  );
}
