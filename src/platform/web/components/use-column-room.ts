import { type RefObject, useLayoutEffect } from 'react';
import { type ColumnRoom, sharedRoom } from '../column-room.ts';
import addressClasses from './address-text.module.css';
import type { Column } from './data-table-props.ts';

/**
 * Gives the room that columns do not need on this page of the list to those that are cut, addresses
 * first. Sets the widths in the head, from which the table takes them, before anybody sees it.
 */
export function useColumnRoom<Row>(
  head: RefObject<HTMLTableSectionElement | null>,
  columns: readonly Column<Row>[],
  rows: readonly Row[] | undefined,
  width: number,
): void {
  const keys = columns.map(({ key }) => key).join('\n');
  // Columns are often made anew. Their keys say whether others show.
  useLayoutEffect(() => {
    const table = head.current?.closest('table');
    if (!table || width === 0) return;
    const heads = columns.map(({ key }) =>
      table.querySelector<HTMLElement>(`th[data-key="${CSS.escape(key)}"]`),
    );
    if (heads.some((one) => one === null)) return;
    const known = heads as HTMLElement[];
    const bases = basesOf(table, known, columns, width);
    const widths = rows?.length
      ? sharedRoom(known.map((one, at) => roomOf(one, columns[at], bases[at] ?? 0, table)))
      : null;
    for (const [at, one] of known.entries())
      one.style.width = widths ? `${widths[at]}px` : cssWidth(columns[at]?.width);
  }, [keys, rows, width]);
}

const cssWidth = (width: number | string | undefined): string =>
  typeof width === 'number' ? `${width}px` : (width ?? '');

/**
 * The widths by the columns' definitions: those without one share what the others leave. They are
 * not measured, because the columns may have other widths from the page of the list before.
 */
function basesOf<Row>(
  table: HTMLElement,
  heads: readonly HTMLElement[],
  columns: readonly Column<Row>[],
  total: number,
): number[] {
  const beside = [...table.querySelectorAll<HTMLElement>('thead th')]
    .filter((one) => !heads.includes(one))
    .reduce((sum, one) => sum + one.getBoundingClientRect().width, 0);
  const fixed = columns.map(({ width }) =>
    typeof width === 'number'
      ? width
      : width?.endsWith('%')
        ? (Number.parseFloat(width) * total) / 100
        : null,
  );
  const taken = fixed.reduce<number>((sum, one) => sum + (one ?? 0), beside);
  const share = (total - taken) / Math.max(1, fixed.filter((one) => one === null).length);
  return fixed.map((one) => one ?? share);
}

/** What an address's estimate of its own width may be too large by. */
const slack = 28;

function roomOf<Row>(
  th: HTMLElement,
  column: Column<Row> | undefined,
  base: number,
  table: HTMLElement,
): ColumnRoom {
  // A column whose words wrap is never cut.
  if (column?.wraps) return { base, need: base, isFirst: false };
  const place = (th as HTMLTableCellElement).cellIndex + 1;
  const cells = [...table.querySelectorAll<HTMLElement>(`tbody tr > td:nth-child(${place})`)];
  const isFirst = cells.some((cell) => cell.querySelector(`.${addressClasses.address}`) !== null);
  if (isFirst) {
    const cut = Math.max(...cells.map(cutOff));
    const shown = cells[0]?.getBoundingClientRect().width ?? base;
    return { base, need: Math.max(base, cut > 0 ? shown + cut + slack : shown), isFirst };
  }
  const { paddingLeft, paddingRight } = getComputedStyle(th);
  const widest = Math.max(...[th, ...cells].map(contentWidth));
  return { base, need: widest + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight), isFirst };
}

/** How wide a cell's content would be if nothing were cut. */
function contentWidth(cell: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().width;
}

/**
 * How much of a cell's address is cut off. Its parts share the column's room by an estimate of
 * their width, so an address never gives room away that it seems to have.
 */
function cutOff(cell: HTMLElement): number {
  const parts = cell.querySelectorAll<HTMLElement>(`.${addressClasses.local}, .${addressClasses.middle}`);
  return [...parts].reduce((sum, part) => sum + part.scrollWidth - part.clientWidth, 0);
}
