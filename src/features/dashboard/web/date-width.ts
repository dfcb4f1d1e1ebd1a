/** The width in pixels of a column of short dates. Dates of another year include the year. */
export function dateWidth(dates: readonly (string | undefined)[], now: Date = new Date()): number {
  const isOld = (date: string | undefined) =>
    date !== undefined && new Date(date).getFullYear() !== now.getFullYear();
  return dates.some(isOld) ? 112 : 84;
}
