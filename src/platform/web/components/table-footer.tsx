import { ActionIcon, Pagination, Select } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatAbout, formatNumber } from '../format.ts';
import { pageButtons, rowRange } from '../page-buttons.ts';
import classes from './table-footer.module.css';

interface TableFooterProps {
  page: number;
  pageSize: number;
  /** The number of rows. While it is undefined, the footer keeps its place. */
  total: number | undefined;
  /** The total comes from a sample, so it says "about". */
  isEstimate?: boolean;
  /** The exact number is being counted, and the footer says so. */
  isCounting?: boolean;
  /** What the rows are, where it is not plain: "1–20 of 55 patterns". */
  unit?: string;
  /**
   * A current or earlier estimate. The footer keeps room for it, so that nothing moves when the
   * exact number arrives.
   */
  roomFor?: number;
  onPage: (page: number) => void;
  /** Offers these sizes: "20 per page". */
  pageSizes?: readonly number[];
  onPageSize?: (size: number) => void;
}

const counting = ', counting…';

/** `1,204,331`, `about 1,204,000`, or `about 1,204,000, counting…`. */
const totalWords = (total: number, { isEstimate, isCounting }: TableFooterProps): string =>
  isEstimate ? formatAbout(total) + (isCounting ? counting : '') : formatNumber(total);

/**
 * Below a list: `1–20 of 1,204,331`, the page size, and five page buttons. Sticks to the bottom of
 * the window.
 */
export function TableFooter(props: TableFooterProps) {
  const { page, pageSize, total, onPage, pageSizes, onPageSize } = props;
  const pages = Math.max(Math.ceil((total ?? 0) / pageSize), 1);
  const { first, last } = rowRange(page, pageSize, total ?? 0);
  const unit = props.unit === undefined ? '' : ` ${props.unit}`;
  const rows = `${formatNumber(first)}–${formatNumber(last)} of `;
  return (
    <div className={classes.footer}>
      <span className={classes.range} aria-live="polite">
        {total === undefined ? '' : total === 0 ? '0 of 0' : `${rows}${totalWords(total, props)}${unit}`}
        {props.roomFor !== undefined && (
          <span
            className={classes.room}
            aria-hidden
            data-words={`${rows}${formatAbout(props.roomFor)}${counting}`}
          />
        )}
      </span>
      {pageSizes && onPageSize && (
        <Select
          className={classes.size}
          classNames={{ input: classes.sizeInput }}
          size="xs"
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
          aria-label="Rows per page"
          data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(pageSize)}
          onChange={(value) => value !== null && onPageSize(Number(value))}
        />
      )}
      <nav className={classes.pages} aria-label="Pages">
        <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={16} stroke={1.6} />
        </ActionIcon>
        <Pagination.Root total={pages} value={page} onChange={onPage} size="sm" className={classes.buttons}>
          {pageButtons(page, pages).map((one) => (
            <Pagination.Control
              key={one}
              active={one === page}
              aria-label={`Page ${formatNumber(one)}`}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => onPage(one)}
            >
              {formatNumber(one)}
            </Pagination.Control>
          ))}
        </Pagination.Root>
        <ActionIcon aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} stroke={1.6} />
        </ActionIcon>
      </nav>
    </div>
  );
}
