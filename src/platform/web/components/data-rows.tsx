import { Checkbox, Table } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, type RefObject, useRef } from 'react';
import classes from './data-table.module.css';
import type { Column, DataTableProps } from './data-table-props.ts';
import { RowMenu } from './row-menu.tsx';

type RowsProps<Row, K extends string | number> = DataTableProps<Row, K> & { rows: readonly Row[] };

/** A click on a control inside the row belongs to that control. */
const isOnControl = (event: MouseEvent) =>
  (event.target as HTMLElement).closest('button, a, input, label, [role]:not([role=img])') !== null;

/** What rows do, by the table's newest state. A row need not be drawn anew when that changes. */
interface RowActions<Row> {
  pick: (row: Row, isRange: boolean) => void;
  open: ((row: Row) => void) | undefined;
  menu: ((row: Row) => ReactNode) | undefined;
}

/**
 * The rows of a table. Only those are drawn anew that change, and in them only the cells that do:
 * opening a record beside a page of a hundred contacts takes as long as beside five.
 */
export function DataRows<Row, K extends string | number>(props: RowsProps<Row, K>) {
  const { rows, columns, rowKey, rowLabel, selection, rowMenu, onOpen, openKey } = props;
  const actions = useRowActions(props);
  const byKeyboard = onOpen !== undefined || selection !== undefined;
  const openIndex = rows.findIndex((row) => rowKey(row) === openKey);
  return rows.map((row, index) => {
    const key = rowKey(row);
    return (
      <DataRow
        key={key}
        row={row}
        label={rowLabel(row)}
        columns={columns as readonly Column<unknown>[]}
        selected={selection?.isSelected(key)}
        isOpen={key === openKey}
        opens={onOpen !== undefined}
        hasMenu={rowMenu !== undefined}
        tabIndex={byKeyboard ? (index === Math.max(openIndex, 0) ? 0 : -1) : undefined}
        actions={actions as RefObject<RowActions<unknown>>}
      />
    );
  });
}

function useRowActions<Row, K extends string | number>(props: RowsProps<Row, K>): RefObject<RowActions<Row>> {
  const { rows, rowKey, selection, rowMenu, onOpen, state } = props;
  /** The last row selected, where a range begins. */
  const anchor = useRef<K | null>(null);
  const pick = (row: Row, isRange: boolean) => {
    // Rows of the search before would stay selected among those of the next.
    if (!selection || state.isPlaceholderData) return;
    const key = rowKey(row);
    const keys = rows.map(rowKey);
    const from = anchor.current === null ? -1 : keys.indexOf(anchor.current);
    if (isRange && from >= 0 && !selection.everything) {
      const to = keys.indexOf(key);
      selection.choose(keys.slice(Math.min(from, to), Math.max(from, to) + 1), !selection.isSelected(key));
    } else selection.toggle(key);
    anchor.current = key;
  };
  const actions = useRef<RowActions<Row>>({ pick, open: onOpen, menu: rowMenu });
  actions.current = { pick, open: onOpen, menu: rowMenu };
  return actions;
}

interface DataRowProps {
  row: unknown;
  label: string;
  columns: readonly Column<unknown>[];
  /** Undefined when rows cannot be selected. */
  selected: boolean | undefined;
  isOpen: boolean;
  opens: boolean;
  hasMenu: boolean;
  tabIndex: number | undefined;
  actions: RefObject<RowActions<unknown>>;
}

const DataRow = memo(function DataRow(props: DataRowProps) {
  const { row, label, columns, selected, isOpen, opens, hasMenu, tabIndex, actions } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && opens) actions.current.open?.(row);
    else if (event.key === ' ' && selected !== undefined) actions.current.pick(row, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <Table.Tr
      className={classes.row}
      data-open={isOpen || undefined}
      data-selected={selected || undefined}
      data-opens={opens || undefined}
      tabIndex={tabIndex}
      onKeyDown={tabIndex === undefined ? undefined : onKeyDown}
      onClick={opens ? (event) => isOnControl(event) || actions.current.open?.(row) : undefined}
    >
      {selected !== undefined && <PickCell row={row} label={label} selected={selected} actions={actions} />}
      {columns.map((column) => (
        <DataCell key={column.key} column={column} row={row} />
      ))}
      {hasMenu && <MenuCell row={row} label={label} actions={actions} />}
    </Table.Tr>
  );
});

type PickCellProps = Pick<DataRowProps, 'row' | 'label' | 'actions'> & { selected: boolean };

const PickCell = memo(function PickCell({ row, label, selected, actions }: PickCellProps) {
  return (
    <Table.Td className={classes.pick}>
      <Checkbox
        aria-label={`Select ${label}`}
        checked={selected}
        // Use the click event, because it tells whether Shift is held.
        onChange={({ nativeEvent }) =>
          actions.current.pick(row, (nativeEvent as unknown as MouseEvent).shiftKey === true)
        }
      />
    </Table.Td>
  );
});

const DataCell = memo(function DataCell({ column, row }: { column: Column<unknown>; row: unknown }) {
  return (
    <Table.Td
      data-numeric={column.numeric || undefined}
      data-tone={column.tone}
      data-wraps={column.wraps || undefined}
    >
      {column.cell(row)}
    </Table.Td>
  );
});

const MenuCell = memo(function MenuCell({
  row,
  label,
  actions,
}: Pick<DataRowProps, 'row' | 'label' | 'actions'>) {
  return (
    <Table.Td className={classes.menuCell}>
      <RowMenu label={label}>{() => actions.current.menu?.(row)}</RowMenu>
    </Table.Td>
  );
});
