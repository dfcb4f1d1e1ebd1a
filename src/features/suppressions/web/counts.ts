/** The number of entries, whatever their reason. */
export const sumOf = (counts: Record<string, number | undefined>): number =>
  Object.values(counts).reduce((sum: number, one) => sum + (one ?? 0), 0);
