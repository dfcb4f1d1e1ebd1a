/**
 * Which page buttons to show: `size` of them (all, when there are fewer pages), with the current
 * page in the middle where that is possible.
 */
export function pageButtons(page: number, pages: number, size = 5): number[] {
  const count = Math.min(size, Math.max(pages, 1));
  const first = Math.min(Math.max(page - Math.floor(count / 2), 1), Math.max(pages, 1) - count + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The rows a page shows, counted from 1, for "1–20 of 1,204,331"; both 0 when there are none. */
export function rowRange(page: number, pageSize: number, total: number): { first: number; last: number } {
  if (total === 0) return { first: 0, last: 0 };
  return { first: (page - 1) * pageSize + 1, last: Math.min(page * pageSize, total) };
}
