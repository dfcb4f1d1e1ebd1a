/**
 * Which page buttons to show: `size` of them (or all, if there are fewer pages), with the current
 * page in the middle if possible.
 */
export function pageButtons(page: number, pages: number, size = 5): number[] {
  const count = Math.min(size, Math.max(pages, 1));
  const first = Math.min(Math.max(page - Math.floor(count / 2), 1), Math.max(pages, 1) - count + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

/**
 * The rows on a page, counted from 1, for "1–20 of 1,204,331". Both are 0 when there are no rows.
 */
export function rowRange(page: number, pageSize: number, total: number): { first: number; last: number } {
  if (total === 0) return { first: 0, last: 0 };
  return { first: (page - 1) * pageSize + 1, last: Math.min(page * pageSize, total) };
}
