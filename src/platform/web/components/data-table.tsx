import { Checkbox, Skeleton, Table, UnstyledButton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { DataRows } from './data-rows.tsx';
import classes from './data-table.module.css';
import type { Column, DataTableProps } from './data-table-props.ts';
import { PhoneRows } from './phone-rows.tsx';
import { ErrorState } from './states.tsx';
import { useColumnRoom } from './use-column-room.ts';
import { useLate } from './use-late.ts';
import { usePhone } from './use-phone.ts';

/** The product's only list: fixed columns, a sticky head, and the same height in every state. */
export function DataTable<Row, K extends string | number>(props: DataTableProps<Row, K>) {
  const { rows, state, place = 'page', label } = props;
  const phone = usePhone();
  const loading = useLate(state.isPending);
  const body = useRef<HTMLTableSectionElement>(null);
  const { ref: frame, width } = useElementSize();
  const scrolls = props.minWidth !== undefined && width > 0 && props.minWidth > width;
  useColumnRoom(body, props.columns, rows, scrolls ? (props.minWidth ?? width) : width);
  const failed = state.error !== null && state.error !== undefined && rows === undefined;
  const instead = failed ? (
    <ErrorState
      title={props.errorTitle}
      error={state.error}
      description={props.errorHint}
      onRetry={() => void state.refetch()}
    />
  ) : rows?.length === 0 ? (
    props.empty
  ) : null;

  if (phone) return <PhoneRows {...props} loading={loading} instead={instead} />;
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-place={place}
      data-stale={state.isPlaceholderData || undefined}
      data-scrolls={scrolls || undefined}
    >
      <Table
        layout="fixed"
        // A table that scrolls sideways cannot also stick its head to the top of the window.
        stickyHeader={place === 'page' && !scrolls}
        {...(scrolls ? { miw: props.minWidth } : {})}
        stickyHeaderOffset={52}
        verticalSpacing={0}
        horizontalSpacing={12}
        aria-label={label}
        aria-busy={state.isPending || undefined}
        className={classes.table}
      >
        <TableHead {...props} />
        <Table.Tbody ref={body} onKeyDown={(event) => moveByKeys(event, body.current)}>
          {rows === undefined && !failed && <SkeletonRows {...props} visible={loading} />}
          {rows !== undefined && rows.length > 0 && <DataRows {...props} rows={rows} />}
        </Table.Tbody>
      </Table>
      {instead !== null && <div className={classes.instead}>{instead}</div>}
    </div>
  );
}

/** Arrow keys, Home and End move between rows. A control inside a row keeps its own keys. */
function moveByKeys(event: KeyboardEvent, body: HTMLElement | null): void {
  const row = event.target as HTMLElement;
  if (!body || row.tagName !== 'TR') return;
  const rows = [...body.querySelectorAll<HTMLElement>('tr[tabindex]')];
  const at = rows.indexOf(row);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const target = to === undefined ? undefined : rows[to];
  if (!target) return;
  event.preventDefault();
  for (const one of rows) one.tabIndex = one === target ? 0 : -1;
  target.focus();
}

function TableHead<Row, K extends string | number>(props: DataTableProps<Row, K>) {
  const { columns, selection, rows, rowKey, rowMenu, state } = props;
  const keys = rows?.map(rowKey) ?? [];
  const chosen = keys.filter((key) => selection?.isSelected(key)).length;
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th className={classes.pick}>
            <Checkbox
              aria-label="Select all on this page"
              checked={chosen > 0 && chosen === keys.length}
              indeterminate={chosen > 0 && chosen < keys.length}
              disabled={keys.length === 0 || state.isPlaceholderData === true}
              onChange={() => selection.togglePage(keys)}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} {...props} />
        ))}
        {rowMenu && (
          <Table.Th className={classes.menuCell}>
            <span className={classes.hidden}>Actions</span>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

function HeadCell<Row, K extends string | number>({
  column,
  sort,
  onSort,
}: DataTableProps<Row, K> & { column: Column<Row> }) {
  const sorted = sort?.key === column.key ? sort.order : undefined;
  const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th
      className={classes.headCell}
      style={{ width: column.width }}
      data-key={column.key}
      data-numeric={column.numeric || undefined}
      aria-sort={sorted && (sorted === 'asc' ? 'ascending' : 'descending')}
    >
      {column.sortable && onSort ? (
        <UnstyledButton
          className={classes.sort}
          data-sorted={sorted}
          onClick={() => onSort({ key: column.key, order: sorted === 'desc' ? 'asc' : 'desc' })}
        >
          {column.head}
          {sorted && <Arrow size={14} stroke={1.8} aria-hidden />}
        </UnstyledButton>
      ) : (
        column.head
      )}
    </Table.Th>
  );
}

function SkeletonRows<Row, K extends string | number>({
  columns,
  selection,
  rowMenu,
  expectedRows = 5,
  loadingText,
  visible,
}: DataTableProps<Row, K> & { visible: boolean }) {
  const span = columns.length + (selection ? 1 : 0) + (rowMenu ? 1 : 0);
  return Array.from({ length: expectedRows }, (_, index) =>
    loadingText !== undefined ? (
      <Table.Tr key={index} aria-hidden={index > 0 || undefined}>
        <Table.Td colSpan={span} data-tone="dim">
          {index === 0 && visible && loadingText}
        </Table.Td>
      </Table.Tr>
    ) : (
      <Table.Tr key={index} aria-hidden>
        {selection && <Table.Td className={classes.pick} />}
        {columns.map(({ key, numeric, skeleton }) => (
          <Table.Td key={key} data-numeric={numeric || undefined}>
            {visible && (
              <Skeleton
                height={10}
                radius={5}
                width={skeleton ?? (numeric ? 48 : `${[82, 68, 90, 74, 60][index % 5]}%`)}
                className={classes.bar}
              />
            )}
          </Table.Td>
        ))}
        {rowMenu && <Table.Td className={classes.menuCell} />}
      </Table.Tr>
    ),
  );
}
