import { Checkbox, Table } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table-props.ts';
import { RowMenu } from './row-menu.tsx';

type RowsProps<Row, K extends string | number> = DataTableProps<Row, K> & { rows: readonly Row[] };

/** A click on a control inside the row belongs to that control. */
const isOnControl = (event: MouseEvent) =>
  (event.target as HTMLElement).closest('button, a, input, label, [role]:not([role=img])') !== null;

export function DataRows<Row, K extends string | number>(props: RowsProps<Row, K>) {
  const { rows, columns, rowKey, rowLabel, selection, rowMenu, onOpen, openKey } = props;
  const byKeyboard = onOpen !== undefined || selection !== undefined;
  /** The last row selected, where a range begins. */
  const anchor = useRef<K | null>(null);
  const pick = (row: Row, isRange: boolean) => {
    if (!selection) return;
    const key = rowKey(row);
    const keys = rows.map(rowKey);
    const from = anchor.current === null ? -1 : keys.indexOf(anchor.current);
    if (isRange && from >= 0 && !selection.everything) {
      const to = keys.indexOf(key);
      selection.choose(keys.slice(Math.min(from, to), Math.max(from, to) + 1), !selection.isSelected(key));
    } else selection.toggle(key);
    anchor.current = key;
  };
  const onKeyDown = (event: KeyboardEvent, row: Row) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && onOpen) onOpen(row);
    else if (event.key === ' ' && selection) pick(row, event.shiftKey);
    else return;
    event.preventDefault();
  };
  const openIndex = rows.findIndex((row) => rowKey(row) === openKey);
  return rows.map((row, index) => {
    const key = rowKey(row);
    const selected = selection?.isSelected(key) ?? false;
    return (
      <Table.Tr
        key={key}
        className={classes.row}
        data-open={key === openKey || undefined}
        data-selected={selected || undefined}
        data-opens={onOpen ? true : undefined}
        tabIndex={byKeyboard ? (index === Math.max(openIndex, 0) ? 0 : -1) : undefined}
        onKeyDown={byKeyboard ? (event) => onKeyDown(event, row) : undefined}
        onClick={onOpen ? (event) => isOnControl(event) || onOpen(row) : undefined}
      >
        {selection && (
          <Table.Td className={classes.pick}>
            <Checkbox
              aria-label={`Select ${rowLabel(row)}`}
              checked={selected}
              // Use the click event, because it tells whether Shift is held.
              onChange={({ nativeEvent }) =>
                pick(row, (nativeEvent as unknown as MouseEvent).shiftKey === true)
              }
            />
          </Table.Td>
        )}
        {columns.map((column) => (
          <Table.Td
            key={column.key}
            data-numeric={column.numeric || undefined}
            data-tone={column.tone}
            data-wraps={column.wraps || undefined}
          >
            {column.cell(row)}
          </Table.Td>
        ))}
        {rowMenu && (
          <Table.Td className={classes.menuCell}>
            <RowMenu label={rowLabel(row)}>{rowMenu(row)}</RowMenu>
          </Table.Td>
        )}
      </Table.Tr>
    );
  });
}
