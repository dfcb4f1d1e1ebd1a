import { Checkbox, Menu, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataTableProps } from './data-table-props.ts';
import classes from './phone-rows.module.css';
import { RowMenu } from './row-menu.tsx';

type PhoneRowsProps<Row, K extends string | number> = DataTableProps<Row, K> & {
  loading: boolean;
  /** Shown when there are no rows. */
  instead: ReactNode;
};

/**
 * A table on a phone: two lines per row. People select the first row through its menu. Then the
 * check boxes appear.
 */
export function PhoneRows<Row, K extends string | number>(props: PhoneRowsProps<Row, K>) {
  const { rows, label, place = 'page', instead, loading, expectedRows = 5, loadingText, state } = props;
  if (instead !== null) return <div className={classes.instead}>{instead}</div>;
  return (
    <ul
      className={classes.list}
      data-place={place}
      data-stale={state.isPlaceholderData || undefined}
      aria-label={label}
      aria-busy={state.isPending || undefined}
    >
      {rows === undefined
        ? Array.from({ length: expectedRows }, (_, index) => (
            <li
              key={index}
              className={classes.row}
              aria-hidden={loadingText === undefined || index > 0 || undefined}
            >
              {loading && loadingText !== undefined && index === 0 && (
                <span className={classes.second}>{loadingText}</span>
              )}
              {loading && loadingText === undefined && (
                <div className={classes.bars}>
                  <Skeleton height={10} radius={5} width="62%" />
                  <Skeleton height={10} radius={5} width="38%" />
                </div>
              )}
            </li>
          ))
        : rows.map((row) => <OnePhoneRow key={props.rowKey(row)} row={row} {...props} />)}
    </ul>
  );
}

function OnePhoneRow<Row, K extends string | number>({
  row,
  ...props
}: PhoneRowsProps<Row, K> & { row: Row }) {
  const { rowKey, rowLabel, phone, selection, rowMenu, onOpen, state } = props;
  const key = rowKey(row);
  const { title, aside, second, wraps } = phone(row);
  const picking = selection !== undefined && (selection.keys.size > 0 || selection.everything);
  const selected = selection?.isSelected(key) ?? false;
  const lines = (
    <>
      <span className={classes.first}>
        <span className={classes.title}>{title}</span>
        {aside !== undefined && <span className={classes.aside}>{aside}</span>}
      </span>
      <span className={classes.second} data-wraps={wraps || undefined}>
        {typeof second === 'string' ? <span>{second}</span> : second}
      </span>
    </>
  );
  return (
    <li className={classes.row} data-selected={selected || undefined}>
      {picking && (
        <Checkbox
          className={classes.pick}
          aria-label={`Select ${rowLabel(row)}`}
          checked={selected}
          disabled={state.isPlaceholderData === true}
          onChange={() => selection.toggle(key)}
        />
      )}
      {onOpen ? (
        <button type="button" className={classes.lines} onClick={() => onOpen(row)}>
          {lines}
        </button>
      ) : (
        <div className={classes.lines}>{lines}</div>
      )}
      {(rowMenu || selection) && (
        <RowMenu label={rowLabel(row)}>
          {() => (
            <>
              {selection && (
                <Menu.Item disabled={state.isPlaceholderData === true} onClick={() => selection.toggle(key)}>
                  {selected ? 'Deselect' : 'Select'}
                </Menu.Item>
              )}
              {rowMenu?.(row)}
            </>
          )}
        </RowMenu>
      )}
    </li>
  );
}
