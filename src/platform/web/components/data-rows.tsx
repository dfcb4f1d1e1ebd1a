import { Checkbox, Table } from '@mantine/core';
import type { KeyboardEvent, MouseEvent } from 'react';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table-props.ts';
import { RowMenu } from './row-menu.tsx';

type RowsProps<Row, K extends string | number> = DataTableProps<Row, K> & { rows: readonly Row[] };

/** A click on a control inside the row is that control's. */
const isOnControl = (event: MouseEvent) =>
  (event.target as HTMLElement).closest('button, a, input, label, [role]:not([role=img])') !== null;

export function DataRows<Row, K extends string | number>(props: RowsProps<Row, K>) {
  const { rows, columns, rowKey, rowLabel, selection, rowMenu, onOpen, openKey } = props;
  const byKeyboard = onOpen !== undefined || selection !== undefined;
  const onKeyDown = (event: KeyboardEvent, row: Row) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && onOpen) onOpen(row);
    else if (event.key === ' ' && selection) selection.toggle(rowKey(row));
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
              onChange={() => selection.toggle(key)}
            />
          </Table.Td>
        )}
        {columns.map((column) => (
          <Table.Td key={column.key} data-numeric={column.numeric || undefined} data-tone={column.tone}>
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
