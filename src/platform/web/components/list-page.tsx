import { Button } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { List } from '../list.ts';
import { Card } from './card.tsx';
import { DataTable } from './data-table.tsx';
import type { DataTableProps } from './data-table-props.ts';
import { isNarrowed, ListFilters, type ListFiltersProps } from './list-filters.tsx';
import classes from './list-page.module.css';
import { Page, Toolbar } from './page.tsx';
import { EmptyState } from './states.tsx';
import { TableFooter } from './table-footer.tsx';

type Nothing = ComponentProps<typeof EmptyState>;

/** The words of a list. */
export interface ListWords {
  /** What it holds, for screen readers: "Removals". */
  label: string;
  /** "The bin could not be loaded". */
  errorTitle: string;
  /** Reassurance: "Your filters are kept." */
  errorHint?: string;
  empty: Nothing;
  /** Replaces `empty` when filters hide part of the list. */
  nothingFound?: Partial<Nothing>;
  /** For the button that fetches older rows: "Show older lines". */
  older?: string;
}

type Told = 'rows' | 'state' | 'label' | 'errorTitle' | 'errorHint' | 'empty' | 'place';

interface ListTableProps<Row, K extends string | number> extends Omit<DataTableProps<Row, K>, Told> {
  list: List<Row>;
  words: ListWords;
  /** Puts the list in a card, with a title if given. */
  card?: Pick<ComponentProps<typeof Card>, 'title' | 'action'>;
  /** Below the rows, within the card: another way through the pages instead of a footer. */
  foot?: ReactNode;
  isNarrowed?: boolean;
}

/** A list's rows in every state, and below them the way to more. */
export function ListTable<Row, K extends string | number>(props: ListTableProps<Row, K>) {
  const { list, words, card, foot, isNarrowed: narrowed = false, ...columns } = props;
  const { label, errorTitle, errorHint, empty, nothingFound } = words;
  const { pages } = list;
  const table = (
    <DataTable
      {...columns}
      label={label}
      rows={pages || !list.rows ? list.rows : withoutCopies(list.rows, columns.rowKey)}
      state={list.state}
      place={card ? 'group' : 'page'}
      errorTitle={errorTitle}
      {...(errorHint === undefined ? {} : { errorHint })}
      empty={<EmptyState {...empty} {...(narrowed ? nothingFound : {})} />}
    />
  );
  const older = list.older && (
    <div className={classes.older} data-in-card={card !== undefined || undefined}>
      <Button variant="default" loading={list.older.isFetching} onClick={list.older.onFetch}>
        {words.older}
      </Button>
    </div>
  );
  return (
    <>
      {card ? (
        <Card flush {...card}>
          {table}
          {older}
          {foot}
        </Card>
      ) : (
        <>
          {table}
          {older}
        </>
      )}
      {pages && <TableFooter {...pages} />}
    </>
  );
}

interface ListPageProps<Row, K extends string | number, S extends object>
  extends Omit<ListTableProps<Row, K>, 'isNarrowed'>,
    Pick<ComponentProps<typeof Page>, 'title' | 'parent' | 'purpose' | 'actions'> {
  filters?: ListFiltersProps<S>;
  /** Above the list: a note about all of it. */
  note?: ReactNode;
  /** What opens from the list: dialogs, a `RecordPanel`. */
  children?: ReactNode;
}

/** A screen that is one list. */
export function ListPage<Row, K extends string | number, S extends object>(props: ListPageProps<Row, K, S>) {
  const { title, parent, purpose, actions, filters, note, children, ...table } = props;
  return (
    <Page title={title} {...(parent ? { parent } : {})} purpose={purpose} actions={actions}>
      {filters && (
        <Toolbar search={null}>
          <ListFilters {...filters} />
        </Toolbar>
      )}
      {note}
      <ListTable {...table} isNarrowed={filters !== undefined && isNarrowed(filters)} />
      {children}
    </Page>
  );
}

/** A row that changes while people read may move to the top and appear twice. */
const withoutCopies = <Row,>(rows: readonly Row[], rowKey: (row: Row) => string | number): Row[] => [
  ...new Map(rows.map((row) => [rowKey(row), row])).values(),
];
