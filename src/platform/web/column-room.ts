export interface ColumnRoom {
  /** Its width by its definition, in pixels. */
  base: number;
  /** The width at which nothing in it is cut. */
  need: number;
  /** It holds addresses, which come first. */
  isFirst: boolean;
}

/**
 * The widths of a table's columns when what some of them do not need goes to those that are cut:
 * first to addresses, then to the others. Null when nothing changes. The sum stays the same.
 */
export function sharedRoom(columns: readonly ColumnRoom[]): number[] | null {
  const widths = columns.map(({ base }) => base);
  const spare = columns.map(({ base, need }) => Math.max(0, Math.floor(base - need)));
  for (const round of [true, false]) {
    const wanted = columns.map(({ need, isFirst }, at) =>
      isFirst === round ? Math.max(0, Math.ceil(need - (widths[at] ?? 0))) : 0,
    );
    const [allWanted, allSpare] = [sum(wanted), sum(spare)];
    const given = Math.min(allWanted, allSpare);
    if (given === 0) continue;
    for (const at of widths.keys()) {
      const taken = ((spare[at] ?? 0) * given) / allSpare;
      widths[at] = (widths[at] ?? 0) + ((wanted[at] ?? 0) * given) / allWanted - taken;
      spare[at] = (spare[at] ?? 0) - taken;
    }
  }
  return widths.every((width, at) => width === columns[at]?.base) ? null : widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
