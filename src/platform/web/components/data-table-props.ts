import type { ReactNode } from 'react';
import type { Selection } from './use-selection.ts';

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Pixels, or a CSS width; columns without one share what is left. */
  width?: number | string;
  /** At the right and in tabular figures: numbers and dates. */
  numeric?: boolean;
  /** `strong` 450 for what names the row, `dim` for what only accompanies it. */
  tone?: 'strong' | 'dim';
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
  /** The second line takes as many as it needs: for words that are cut off nowhere else. */
  wraps?: boolean;
}

/** The part of a TanStack query that a table shows. */
export interface TableState {
  isPending: boolean;
  error: unknown;
  refetch: () => unknown;
  /** Older rows stay on screen while others are fetched; they are then dimmed. */
  isPlaceholderData?: boolean;
}

export interface DataTableProps<Row, K extends string | number> {
  /** What the table holds, for those who cannot see it: "Contacts". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => K;
  /** What a row is called when it is picked or its menu opened: the address. */
  rowLabel: (row: Row) => string;
  /** Usually the query itself. */
  state: TableState;
  /** An `EmptyState`, shown when there are no rows. */
  empty: ReactNode;
  /** "The contacts could not be loaded". */
  errorTitle: string;
  /** What is safe: "Your filters are kept." */
  errorHint?: string;
  phone: (row: Row) => PhoneRow;
  /**
   * `page` from edge to edge of the screen with rows of 36; `group` inside a `Card flush` with rows
   * of 40.
   */
  place?: 'page' | 'group';
  /** How many skeleton rows: as many as are expected. */
  expectedRows?: number;
  /** Said in the first row while loading, instead of skeleton bars. */
  loadingText?: string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  selection?: Selection<K>;
  /** `Menu.Item`s. */
  rowMenu?: (row: Row) => ReactNode;
  /** Opens the record; also by Enter. */
  onOpen?: (row: Row) => void;
  openKey?: K | undefined;
  /**
   * Pixels that the columns need: in less room the table scrolls sideways, and the first column
   * stays.
   */
  minWidth?: number;
}
