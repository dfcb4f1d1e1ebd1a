/** Pixels that a column of short dates needs: those of another year are written with it. */
export function dateWidth(dates: readonly (string | undefined)[], now: Date = new Date()): number {
  const isOld = (date: string | undefined) =>
    date !== undefined && new Date(date).getFullYear() !== now.getFullYear();
  return dates.some(isOld) ? 112 : 84;
}
