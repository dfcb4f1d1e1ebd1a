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
    for (const [at, one] of (heads as HTMLElement[]).entries())
      one.style.width = cssWidth(columns[at]?.width);
    if (!rows?.length) return;
    // With more room, the parts of an address share it anew, which may take a second look.
    for (let look = 0; look < 2; look += 1) {
      const widths = sharedRoom((heads as HTMLElement[]).map((one, at) => roomOf(one, columns[at], table)));
      if (!widths) return;
      for (const [at, one] of (heads as HTMLElement[]).entries()) one.style.width = `${widths[at]}px`;
    }
  }, [keys, rows, width]);
}

const cssWidth = (width: number | string | undefined): string =>
  typeof width === 'number' ? `${width}px` : (width ?? '');

function roomOf<Row>(th: HTMLElement, column: Column<Row> | undefined, table: HTMLElement): ColumnRoom {
  const base = th.getBoundingClientRect().width;
  // A column whose words wrap is never cut.
  if (column?.wraps) return { base, need: base, isFirst: false };
  const place = (th as HTMLTableCellElement).cellIndex + 1;
  const cells = [...table.querySelectorAll<HTMLElement>(`tbody tr > td:nth-child(${place})`)];
  const isFirst = cells.some((cell) => cell.querySelector(`.${addressClasses.address}`) !== null);
  if (isFirst) return { base, need: base + Math.max(...cells.map(cutOff)), isFirst };
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
