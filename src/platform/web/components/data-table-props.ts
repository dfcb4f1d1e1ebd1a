import type { ReactNode } from 'react';
import type { Selection } from './use-selection.ts';

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Pixels, or a CSS width. Columns without one share the remaining room. */
  width?: number | string;
  /** Right-aligned with tabular figures: numbers and dates. */
  numeric?: boolean;
  /** `strong` 450 for what names the row, `dim` for secondary text. */
  tone?: 'strong' | 'dim';
  /** Words that are never cut: the row grows with them. */
  wraps?: boolean;
  sortable?: boolean;
  /** Width of the bar shown while loading: pixels or a percentage. */
  skeleton?: number | string;
}

export interface Sort {
  key: string;
  order: 'asc' | 'desc';
}

/** One row on a phone: two lines, 60 high. */
export interface PhoneRow {
  title: ReactNode;
  /** At the right of the first line, usually the date. */
  aside?: ReactNode;
  second: ReactNode;
  /** Lets the second line wrap, so that words are never cut off. */
  wraps?: boolean;
}

/** The part of a TanStack query that a table shows. */
export interface TableState {
  isPending: boolean;
  error: unknown;
  refetch: () => unknown;
  /** Older rows stay on screen, dimmed, while new ones are fetched. None can be selected. */
  isPlaceholderData?: boolean;
}

export interface DataTableProps<Row, K extends string | number> {
  /** What the table holds, for screen readers: "Contacts". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => K;
  /** The row's name for selecting it and for its menu: the address. */
  rowLabel: (row: Row) => string;
  /** Usually the query itself. */
  state: TableState;
  /** An `EmptyState`, shown when there are no rows. */
  empty: ReactNode;
  /** "The contacts could not be loaded". */
  errorTitle: string;
  /** Reassurance: "Your filters are kept." */
  errorHint?: string;
  phone: (row: Row) => PhoneRow;
  /**
   * `page` spans the screen from edge to edge with rows of 36. `group` is inside a `Card flush`
   * with rows of 40.
   */
  place?: 'page' | 'group';
  /** The number of skeleton rows: as many rows as you expect. */
  expectedRows?: number;
  /** Shown in the first row while loading, instead of skeleton bars. */
  loadingText?: string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selection?: Selection<K>;
  /** `Menu.Item`s. */
  rowMenu?: (row: Row) => ReactNode;
  /** Opens the record. Enter does so too. */
  onOpen?: (row: Row) => void;
  openKey?: K | undefined;
  /**
   * Pixels that the columns need. With less room, the table scrolls sideways and the first column
   * stays.
   */
  minWidth?: number;
}
